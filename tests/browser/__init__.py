"""What every browser test shares: a real JupyterLab and a real Chromium. Tests themselves stand elsewhere."""
