"""Answers a request once and for all, in few bytes: what machines without Python check against.

    python3 test/oracle/freeze.py --request REQUEST.json --out ANSWERS.json

The answers are those of oracle.py, without swaps and pools, and of trades what each realised alone. Metrics become
lists in the order of `names`; a scale is rounded up to two digits, or left out (0) where it is the size of its value.
Records keep the scales that are not left out.
"""
import argparse
import json
import math

import oracle


def rounded_up(x):
    """The least number of two digits that is not below x."""
    if x is None or x == 0:
        return 0
    step = 10.0 ** (math.floor(math.log10(x)) - 1)
    return float(f"{math.ceil(x / step) * step:.1e}")


def short_scale(value, scale):
    if not isinstance(value, (int, float)) or scale is None or scale <= abs(value):
        return 0
    return rounded_up(scale)


def in_order(names, metrics, scales):
    """[values, scales] of one window in the order of the names."""
    values = [list(v.values()) if isinstance(v, dict) else v for v in (metrics[name] for name in names)]
    return [values, [short_scale(v, scales.get(name)) for name, v in zip(names, values)]]


def compact(answer):
    names = {}
    for kind in ("tokens", "wallets"):
        first_entity = next(iter(answer[kind].values()))
        names[kind] = list(next(iter(first_entity["metrics"].values())))
        for entity in answer[kind].values():
            scales = entity.pop("scales")
            entity["windows"] = {
                window: in_order(names[kind], metrics, scales[window]) for window, metrics in entity.pop("metrics").items()
            }
    for entity in answer["wallets"].values():
        for section in ("lifetime", "holding"):
            scales = {name: short_scale(entity[section][name], s) for name, s in entity[f"{section}_scales"].items()}
            entity[f"{section}_scales"] = {name: s for name, s in scales.items() if s != 0}
    del answer["swaps"], answer["pools"]
    answer["trades"] = [[t["tx_hash"], t["token"], t["position_state"], t["realized_pnl_usd"]] for t in answer["trades"]]
    return {"names": names, **answer}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--request", required=True)
    parser.add_argument("--out", required=True)
    options = parser.parse_args()
    with open(options.request, encoding="utf-8") as f:
        answer = compact(oracle.answer(json.load(f)))
    parts = []
    for key, value in answer.items():
        if isinstance(value, dict) and all(isinstance(v, (dict, list)) for v in value.values()):
            lines = [f"  {json.dumps(k)}: {text(v)}" for k, v in value.items()]
            parts.append(f"{json.dumps(key)}: {{\n" + ",\n".join(lines) + "\n }")
        else:
            parts.append(f"{json.dumps(key)}: {text(value)}")
    with open(options.out, "w", encoding="utf-8") as f:
        f.write("{\n " + ",\n ".join(parts) + "\n}\n")


def text(value):
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


if __name__ == "__main__":
    main()
