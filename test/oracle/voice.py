"""Which legs have a voice: a transaction that moves a token both in and out through one pool says nothing of its price."""
from swaps import is_self_swap

SIDES = (("in", "out"), ("out", "in"))


def transactions(swaps):
    """The swaps of each transaction, whatever their wallets; the swaps are in chain order, where they stand together."""
    groups = {}
    for s in swaps:
        groups.setdefault(s["tx_hash"], []).append(s)
    return list(groups.values())


def place(s, side, other):
    """The token, and where it was exchanged: the pool, or without one against which token."""
    return s[f"token_{side}"], s["pool"], s[f"token_{other}"] if s["pool"] is None else None


def add_voices(group):
    """Adds voice_in and voice_out to the swaps of one transaction."""
    swaps = [s for s in group if not is_self_swap(s)]
    given = {place(s, "in", "out") for s in swaps}
    received = {place(s, "out", "in") for s in swaps}
    for s in group:
        for side, other in SIDES:
            s[f"voice_{side}"] = place(s, side, other) not in given & received
