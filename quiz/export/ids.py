"""Ids that depend on names only, such as "03_rms_norm/which_formula": never on a text, a place, a time."""

import uuid

# Changing it gives every exported question a new identity: people would get all of them a second time.
NAMESPACE = uuid.UUID("9d0c6a2e-3f5b-4f0e-9c39-7a1f4f1f6b52")


def stable_uuid(name: str) -> uuid.UUID:
    """A UUID (version 5) for a name."""
    return uuid.uuid5(NAMESPACE, name)


def stable_int(name: str, low: int, high: int) -> int:
    """A whole number for a name, from `low` up to but without `high`."""
    return low + stable_uuid(name).int % (high - low)
