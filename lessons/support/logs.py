"""Logarithmic axes that are read without thinking of powers of ten."""


def plain_log(ax, *names: str) -> None:
    """Makes the named axes of `ax` ("x", "y") logarithmic, with ticks like 0.1, 0.2, 0.5, 1."""
    from matplotlib.ticker import LogLocator, NullLocator

    for name in names:
        ax.set(**{f"{name}scale": "log"})
        axis = getattr(ax, f"{name}axis")
        axis.set_major_locator(LogLocator(subs=(1, 2, 5)))
        axis.set_major_formatter("{x:g}")
        axis.set_minor_locator(NullLocator())
