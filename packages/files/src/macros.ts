/**
 * What presets, and SELECTs of one's own, may call beside the functions of DuckDB.
 *
 * - `refused(reason)`: a value that rejects its row for this reason.
 * - `units(amount, decimals)`: whole tokens of an amount in smallest units, the double nearest to it.
 * - `place(outer, inner)`: the index of a swap by its instruction: outer x 4096 + (no inner ? 0 : inner + 1).
 * - `place_at_end(text)`: the same of one or two numbers at the end of a text: `...-3-1`.
 * - `hash_index(text)`: the low 31 bits of the SHA-256 of a text, for files that do not say which of its transaction a swap is.
 * - `gives_first(a, b)`: of the signed amounts of two tokens, positive where the wallet gave, whether it gave the first. `given_amount`,
 *   `received_amount`: the amounts without sign. `less(a, b)`: a - b.
 * - `is_true(value)`: whether a value is `true` or 1; null unless it is `false` or 0, written in any case.
 * - `lower_hex(text)`: a text that begins with `0x`, in lower case; others as they are.
 * - `wrapped_sol()`: the address of wrapped SOL. `quotient(a, b)`: a / b.
 * - `one_amount(lamports, list)`: whole tokens of an amount of SOL, or else of the only token of a list of Helius.
 * - `swap_account(signer, buyer, seller, pool)`: whose swap it is: the signer's if it bought or sold, else the buyer's, which may have had a
 *   relayer sign and pay; the seller's if the buyer is the pool.
 * - `is_seller(signer, buyer, seller)`: whether the signer is who sold, and not who bought.
 * - `written_symbol(text)`: the symbol of an amount that is written with it, `WETH` of `2.5 WETH`. `gives_symbol(given, got, known)`: whether
 *   what is given has the symbol that is known, and what is got has not; null unless one of them has. `other_quote(given, got, side, known)`:
 *   why a row is passed over that has not the known symbol of the quote token; an error where the rows have several pairs and none is known.
 * - `written_amount(text)`: an amount that is written with commas between thousands, 1234.5 of `1,234.5`. `written_usd(text)`: an amount of USD,
 *   1234.5 of `$1,234.50`; null of `N/A`.
 * - `native_token(address, chain)`: the address of the native token of a feed that writes `native` for it; other addresses as they are.
 * - `as_float(number)`: a number as floats have it, written out and with a point: 0.1 of `0.100000000000000006`, 0.0000001 of `1e-07`,
 *   488591.0 of `488591`.
 * - `plain(number)`: a number as JavaScript writes it, the nearest double: 48 of `48.0`, 0.1 of `0.100000000000000006`.
 */
export const macros: readonly string[] = [
  `create macro refused(reason) as chr(1) || reason`,
  `create macro units(amount, decimals) as case
    when amount is null or trim(amount::varchar) = '' then null
    when try_cast(decimals as double) is null or try_cast(decimals as double) not between 0 and 255 or floor(decimals::double) <> decimals::double
      then refused('has no decimals: they must be a whole number from 0 to 255, not ' || coalesce(decimals::varchar, 'NaN'))
    when regexp_full_match(trim(amount::varchar), '[+-]?\\d+') then trim(amount::varchar) || 'e-' || decimals::integer
    when regexp_full_match(trim(amount::varchar), '[+-]?\\d+(\\.\\d+)?([eE]\\+?\\d+)?') and floor(amount::double) = amount::double
      then (amount::double / pow(10, decimals::integer))::varchar
    else refused('in smallest units must be a whole number, not ' || to_json(amount::varchar)::varchar) end`,
  `create macro place_of(o, i, outer_text, inner_text) as case
    when o is null then outer_text
    when o < 0 or floor(o) <> o then refused('of outer index ' || outer_text || ' is no whole number')
    when i is null and inner_text is not null and trim(inner_text) <> '' then inner_text
    when i < 0 or floor(i) <> i then refused('of inner index ' || inner_text || ' is no whole number')
    when i > 4094 then refused('of inner index ' || inner_text || ' is beyond 4094')
    when o * 4096 + coalesce(i + 1, 0) > 2147483647 then refused('of outer index ' || outer_text || ' is beyond 2147483647')
    else (o * 4096 + coalesce(i + 1, 0))::bigint::varchar end`,
  `create macro place("outer", "inner") as place_of(try_cast("outer" as double), try_cast("inner" as double), "outer"::varchar, "inner"::varchar)`,
  `create macro place_at_end(text) as case
    when text is null then null
    when not regexp_matches(text, '-\\d+$') then refused('is to be at the end of ' || to_json(left(text, 200))::varchar || ', which ends in no "-3" or "-3-1"')
    when regexp_matches(text, '-\\d+-\\d+$') then place(regexp_extract(text, '-(\\d+)-(\\d+)$', 1), regexp_extract(text, '-(\\d+)-(\\d+)$', 2))
    else place(regexp_extract(text, '-(\\d+)$', 1), null) end`,
  `create macro hash_index(text) as ('0x' || right(sha256(text), 8))::ubigint & 2147483647`,
  `create macro lower_hex(text) as case when starts_with(lower(text), '0x') then lower(text) else text end`,
  `create macro plain_text(number) as case
    when not regexp_full_match(number::varchar, '-?\\d+(\\.\\d+)?(e[+-]?\\d+)?') then number::varchar
    when contains(number::varchar, 'e') and abs(number::double) >= 1e-6 and abs(number::double) < 1e10
      then rtrim(rtrim((number::varchar)::decimal(38, 27)::varchar, '0'), '.')
    when contains(number::varchar, 'e') and abs(number::double) >= 1e10 and abs(number::double) < 1e21 then (number::varchar)::decimal(38, 0)::varchar
    else regexp_replace(regexp_replace(number::varchar, '\\.0$', ''), 'e([+-]?)0', 'e\\1') end`,
  `create macro written_out(text) as case
    when not contains(text, 'e') then text
    when abs(text::double) < 1 then coalesce(rtrim(try_cast(text as decimal(38, 36))::varchar, '0'), text)
    else coalesce(try_cast(text as decimal(38, 0))::varchar || '.0', text) end`,
  `create macro as_float(number) as case
    when not regexp_full_match(trim(number::varchar), '[+-]?\\d+(\\.\\d+)?([eE][+-]?\\d+)?') then number::varchar
    else written_out(number::double::varchar) end`,
  `create macro plain(number) as plain_text(coalesce(try_cast(number as double)::varchar, number::varchar))`,
  `create macro less(a, b) as case
    when try_cast(a as double) is null then a::varchar when try_cast(b as double) is null then b::varchar
    else (a::double - b::double)::varchar end`,
  `create macro gives_first(a, b) as not (coalesce(try_cast(b as double), 0) > 0 or (try_cast(b as double) = 0 and try_cast(a as double) < 0))`,
  `create macro given_amount(a, b) as case
    when try_cast(a as double) is null then a::varchar when try_cast(b as double) is null then b::varchar
    when sign(a::double) = sign(b::double) then refused('and token_amount_out must have opposite signs, not ' || plain(a) || ' and ' || plain(b))
    else regexp_replace(trim(case when gives_first(a, b) then a else b end::varchar), '^[+-]', '') end`,
  `create macro received_amount(a, b) as regexp_replace(trim(case when gives_first(a, b) then b else a end::varchar), '^[+-]', '')`,
  `create macro written_symbol(text) as nullif(split_part(trim(text), ' ', 2), '')`,
  `create macro bare_symbol(symbol) as regexp_replace(upper(symbol), '^W(ETH|BTC|BNB|AVAX|POL|MATIC|FTM|XDAI|CELO|S)$', '\\1')`,
  `create macro gives_symbol(given, got, known) as case
    when bare_symbol(given) = bare_symbol(known) and bare_symbol(got) <> bare_symbol(known) then true
    when bare_symbol(got) = bare_symbol(known) and bare_symbol(given) <> bare_symbol(known) then false end`,
  `create macro base_symbol(given, got, side) as case side when 'buy' then given when 'sell' then got end`,
  `create macro pair_symbols(given, got, side) as case when side is not null then least(bare_symbol(given), bare_symbol(got)) || ' and ' || greatest(bare_symbol(given), bare_symbol(got)) end`,
  `create macro other_quote(given, got, side, known) as case
    when side is null then null
    when known is not null then case when gives_symbol(given, got, known) is null then 'against ' || base_symbol(given, got, side) end
    when min(bare_symbol(base_symbol(given, got, side))) over () <> max(bare_symbol(base_symbol(given, got, side))) over ()
      then error('it has trades against ' || min(base_symbol(given, got, side)) over () || ' and ' || max(base_symbol(given, got, side)) over () || ', of which the option set quote names one: say its symbol with the option set quote_symbol=SYMBOL')
    when min(pair_symbols(given, got, side)) over () <> max(pair_symbols(given, got, side)) over ()
      then error('it has trades of ' || min(pair_symbols(given, got, side)) over () || ' and of ' || max(pair_symbols(given, got, side)) over () || ', of which the options set token and set quote name one pair: say the symbol of quote with the option set quote_symbol=SYMBOL') end`,
  `create macro written_amount(text) as replace(trim(text::varchar), ',', '')`,
  `create macro written_usd(text) as nullif(replace(ltrim(trim(text::varchar), '$'), ',', ''), 'N/A')`,
  `create macro is_true(value) as case when lower(trim(value::varchar)) in ('true', '1', '1.0') then true when lower(trim(value::varchar)) in ('false', '0', '0.0') then false end`,
  `create macro wrapped_sol() as 'So11111111111111111111111111111111111111112'`,
  `create macro native_token(address, chain) as case
    when address in ('So11111111111111111111111111111111111111111') then wrapped_sol()
    when lower(address) <> 'native' then address
    when lower(chain) = 'solana' then wrapped_sol() else '0x' || repeat('0', 40) end`,
  `create macro quotient(a, b) as case
    when try_cast(a as double) is null then a::varchar when try_cast(b as double) is null or b::double = 0 then null
    else (a::double / b::double)::varchar end`,
  `create macro one_amount(lamports, list) as case
    when coalesce(json_array_length(list::json), 0) + if(coalesce(try_cast(lamports as double), 0) > 0, 1, 0) > 1 then refused('is of several tokens, which are no one swap')
    when try_cast(lamports as double) > 0 then units(lamports, 9)
    else units(json_extract_string(list, '$[0].rawTokenAmount.tokenAmount'), json_extract_string(list, '$[0].rawTokenAmount.decimals')) end`,
  `create macro swap_account(signer, buyer, seller, pool) as case
    when signer in (buyer, seller) or nullif(buyer, '') is null then signer
    when buyer = pool then coalesce(nullif(seller, ''), signer)
    else buyer end`,
  `create macro is_seller(signer, buyer, seller) as coalesce(signer = seller, false) and coalesce(signer <> buyer, true)`,
];
