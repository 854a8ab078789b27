"""Imported first where seconds count.

It makes collections of garbage rare: while modules are imported there is none, and looking takes a tenth of the time.

And it keeps out of this process what takes long to import and is not used in it. jsonschema, which nbformat imports,
takes in `rfc3987_syntax` where it is installed (jupyter-events wants it), and that compiles a grammar for a second:
only to check the format "iri", which no notebook's schema has. Marked as not installed, it is done without, as
jsonschema provides for.
"""

import gc
import sys

gc.set_threshold(20_000, 20, 20)
sys.modules.setdefault("rfc3987_syntax", None)
