"""Imported first where seconds count: keeps out of this process what takes long to import and is not used in it.

jsonschema, which nbformat imports, takes in `rfc3987_syntax` where it is installed (jupyter-events wants it), and that
compiles a grammar for a second: only to check the format "iri", which no notebook's schema has. Marked as not
installed, it is done without, as jsonschema provides for.
"""

import sys

sys.modules.setdefault("rfc3987_syntax", None)
