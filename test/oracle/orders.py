"""The other sides of trades: orders of one (transaction, wallet), and routes that they share (metrics spec, "Trades")."""
from fractions import Fraction

from exact import finite, quotient, total

NAMES = ("given", "received", "given_usd", "given_known", "received_usd", "received_known")


class Face:
    """A token that a trade faces, with what the trade gave (below 0) or got (above 0) of it."""

    def __init__(self, flow, net, price):
        self.token, self.legs, self.net = flow.token, flow.legs, net
        self.own_value = None if price is None else finite(abs(net) * price)


def sign(x):
    return (x > 0) - (x < 0)


def orders_of(group, ends):
    """The orders of the swaps: those that share a token which is not one of the ends."""
    orders = []
    for s in group:
        joins = {s["token_in"], s["token_out"]} - ends
        touched = [order for order in orders if order[0] & joins]
        orders = [order for order in orders if not order[0] & joins]
        orders.append((
            joins.union(*(tokens for tokens, _ in touched)),
            [s] + [one for _, swaps in touched for one in swaps],
        ))
    places = {id(s): place for place, s in enumerate(group)}
    return [sorted(swaps, key=lambda s: places[id(s)]) for _, swaps in orders]


def other_sides(group, net_flows, left, traded):
    """{traded token: the faces on its other side}; left and traded are the tokens that are not passed over, and the
    traded ones among them."""
    found = {}
    ends = left - traded
    for order in orders_of(group, ends):
        flows = {f.token: f for f in net_flows(order)}
        own = [f for f in flows.values() if f.token in traded]
        quotes = [f for f in flows.values() if f.token in ends and f.net != 0]
        if not own:
            continue
        if len(own) == 1 and all(sign(f.net) != sign(own[0].net) for f in quotes):
            faces = {own[0].token: quotes}
        elif len(own) == 2 and not quotes and sign(own[0].net) != sign(own[1].net):
            faces = {own[0].token: [own[1]], own[1].token: [own[0]]}
        else:
            faces = trace(order, flows, {f.token for f in own}, ends)
        for f in own:
            side = [face for face in faces[f.token] if face.net != 0 and sign(face.net) == -sign(f.net)]
            if side:
                found[f.token] = side
    return found


def exchanges_of(order):
    """{(token in, token out): sums of what the swaps gave and received}, exact."""
    found = {}
    for s in order:
        entry = found.setdefault((s["token_in"], s["token_out"]), dict.fromkeys(NAMES, Fraction(0)))
        for name, side in (("given", "in"), ("received", "out")):
            amount, value = s[f"token_amount_{side}"], s[f"traded_{side}"]
            entry[name] += Fraction(amount)
            if value is not None:
                entry[f"{name}_usd"] += Fraction(value)
                entry[f"{name}_known"] += Fraction(amount)
    return found


def part(entry, given, received):
    return {name: entry[name] * (given if name.startswith("given") else received) for name in NAMES}


def trace(order, flows, traded, ends):
    """{traded token: faces}: tokens hand on what they received to what they gave, in the order in which swaps touch them."""
    exchanges, aside = exchanges_of(order), {}

    def add(key, more):
        entry = exchanges.setdefault(key, dict.fromkeys(NAMES, Fraction(0)))
        for name in NAMES:
            entry[name] += more[name]

    for token in flows:
        if token in ends:
            continue
        ins = {a: entry for (a, b), entry in exchanges.items() if b == token}
        outs = {b: entry for (a, b), entry in exchanges.items() if a == token}
        if token in traded and not (ins and outs):
            continue
        received = sum(entry["received"] for entry in ins.values())
        given = sum(entry["given"] for entry in outs.values())
        exchanges = {key: entry for key, entry in exchanges.items() if token not in key}
        whole = max(received, given)
        if whole == 0:
            continue
        of_given, of_received = (whole, whole) if token in traded else (given, received)
        for a, before in ins.items():
            for b, after in outs.items():
                source = part(before, after["given"] / of_given, 0)
                target = part(after, 0, before["received"] / of_received)
                handed = {name: source[name] + target[name] for name in NAMES}
                if a != b:
                    add((a, b), handed)
                elif a in ends:
                    aside[a] = aside.get(a, 0) + handed["received"] - handed["given"]
        if token in traded:
            if received > given:
                for a, entry in ins.items():
                    add((a, token), part(entry, 1 - given / whole, 1 - given / whole))
            if given > received:
                for b, entry in outs.items():
                    add((token, b), part(entry, 1 - received / whole, 1 - received / whole))
    faced = {token: {} for token in traded}
    for (a, b), entry in exchanges.items():
        if b in traded:
            faced[b][a] = (-entry["given"], unit(entry["given_usd"], entry["given_known"]))
        if a in traded:
            faced[a][b] = (entry["received"], unit(entry["received_usd"], entry["received_known"]))
    whole = {end: sum(abs(own[end][0]) for own in faced.values() if end in own) for end in ends}
    return {
        token: [
            Face(flows[other], float(net + shared(aside, whole, other, net)), price)
            for other, (net, price) in own.items()
        ]
        for token, own in faced.items()
    }


def unit(usd, amount):
    return None if amount == 0 else float(usd / amount)


def shared(aside, whole, token, net):
    """What a trade gets of what was set aside of a quote token."""
    return aside.get(token, 0) * abs(net) / whole[token] if whole.get(token) else 0


def side_value(side, roles):
    """The sum of the quote tokens on a side; None where one is unknown, or another token is there."""
    if not all(roles.is_quote(face.token) for face in side) or any(face.own_value is None for face in side):
        return None
    return finite(total(face.own_value for face in side))


def native_amount(flow, side, roles, usd, native_price):
    """Native tokens of a trade: side is its other side, had the native token not been passed over."""
    if flow.token == roles.native:
        return abs(flow.net)
    if [face.token for face in side] == [roles.native]:
        return abs(side[0].net)
    return quotient(usd, native_price)
