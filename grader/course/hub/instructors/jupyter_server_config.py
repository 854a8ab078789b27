"""Settings of the instructors' JupyterLab, found through JUPYTER_CONFIG_PATH."""

c = get_config()  # noqa: F821  (Jupyter puts it there)

# Formgrader is a page within Lab's page. On a hub that is forbidden unless it is said; elsewhere this is the default.
c.ServerApp.tornado_settings = {"headers": {"Content-Security-Policy": "frame-ancestors 'self'"}}
