"""nbgrader's settings for everybody on the hub, found through JUPYTER_CONFIG_PATH."""

import os

c = get_config()  # noqa: F821  (nbgrader puts it there)

c.Exchange.root = os.environ["COURSE_EXCHANGE"]
# Only who is in the hub's group of a course sees its lessons.
c.Authenticator.plugin_class = "nbgrader.auth.JupyterHubAuthPlugin"
# "Validate" runs the whole notebook, and an experiment may train for longer than nbgrader waits for a cell.
c.Execute.timeout = 600
