"""Wash trading: positions that go back and forth at no result, and what they make up of a volume (worth spec, "Wash")."""
from typing import NamedTuple

from exact import Est, divide, positive_sum, total


class WashRules(NamedTuple):
    min_buys: int = 5
    min_sells: int = 5
    max_result: float = 0.002
    max_holding: float = 120


def configured_wash(config):
    given = config.get("wash") or {}
    unknown = sorted(set(given) - set(WashRules._fields))
    if unknown:
        raise ValueError(f"unknown in wash: {', '.join(unknown)}")
    return WashRules(**{name: value for name, value in given.items() if value is not None})


def volume_of(trades):
    return total(t["usd_amount"] for t in trades if t["usd_amount"] is not None)


def is_wash(trades, rules):
    """Whether a position is wash by its trades of a window."""
    buys = sum(1 for t in trades if t["direction"] == "buy")
    realised = [t for t in trades if t["realized"]]
    volume = volume_of(trades)
    if buys < rules.min_buys or len(trades) - buys < rules.min_sells or not realised or not volume > 0:
        return False
    pnl = total(t["realized_pnl_usd"] for t in trades if t["realized"] or t["small"])
    mean_holding = total(t["holding"] for t in realised) / len(realised)
    return abs(pnl) <= rules.max_result * volume and mean_holding <= rules.max_holding


def parted(trades, rules):
    """(the trades of wash positions, the others)."""
    by_position = {}
    for t in trades:
        by_position.setdefault(t["position"], []).append(t)
    wash, others = [], []
    for here in by_position.values():
        (wash if is_wash(here, rules) else others).extend(here)
    return wash, others


def wash_volume(trades, rules):
    volume = volume_of(parted(trades, rules)[0])
    return Est(volume, volume)


def wash_metrics(trades, rules):
    """Of the trades of a window, of any number of positions."""
    wash, others = parted(trades, rules)
    volume = positive_sum([volume_of(trades)])
    washed = positive_sum([volume_of(wash)])
    return {
        "wash_volume": washed,
        "wash_share": divide(washed, volume),
        # The sum of the others is the difference without its rounding: nothing is left where all is wash.
        "organic_volume": Est(volume_of(others), volume.value + washed.value),
    }
