"""The quiz: bank, engine, pages. What a person sees of it in JupyterLab is in `test_browser.py`."""
