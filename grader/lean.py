"""Imported first where seconds count.

It makes collections of garbage rare: while modules are imported there is none, and looking takes a tenth of the time.
"""

import gc

gc.set_threshold(20_000, 20, 20)
