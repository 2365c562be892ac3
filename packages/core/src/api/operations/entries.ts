import * as v from 'valibot';
import type { Config } from '../../config.ts';
import { described } from '../../response.ts';
import {
  addressSchema,
  identifierSchema,
  intervalSchema,
  namesSchema,
  pageEntries,
  timeSchema,
  tokenAddressesSchema,
  tokenAddressSchema,
} from '../request.ts';

const sampleAddresses = {
  solana: {
    token: 'So11111111111111111111111111111111111111112',
    wallet: '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU',
    pool: 'Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE',
  },
  evm: {
    token: '0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2',
    wallet: '0x28c6c06298d514db089934071355e5743bf21d60',
    pool: '0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640',
  },
  tron: {
    token: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
    wallet: 'TEkxiTehnzSmSe2XqrBj4w32RUN966rdz8',
    pool: 'TNUC9Qb1rRpS5CbWLmNMxXBjyFoydXjWFR',
  },
  sui: { token: '0x2::sui::SUI', wallet: `0x${'1'.repeat(64)}`, pool: `0x${'2'.repeat(64)}` },
  any: { token: 'a-token', wallet: 'a-wallet', pool: 'a-pool' },
} as const;

export const sample = ({ address_format: format }: Config) => sampleAddresses[format];

export const tokenSchema = (config: Config, description: string) =>
  described(tokenAddressSchema(config), description, sample(config).token);
export const walletSchema = (config: Config, description: string) =>
  described(addressSchema(config.address_format), description, sample(config).wallet);
export const poolSchema = (config: Config, description: string) =>
  described(identifierSchema(config.address_format), description, sample(config).pool);
export const tokensSchema = (config: Config, most: number) =>
  described(tokenAddressesSchema(config, most), 'Addresses of tokens.', [sample(config).token]);

export const fromSchema = described(timeSchema, 'The start of the range, inclusive.', '2024-01-05T00:00:00Z');
export const printsSchema = described(
  v.picklist(['all', 'clean'], 'expected "all" or "clean"'),
  'Which prints make the prices: `all` (default), or `clean` ones, which leaves out those far off the prints before them.',
  'clean',
);
export const toSchema = described(timeSchema, 'The end of the range. Default: now.', '2024-01-06T00:00:00Z');

export const listEntries = (config: Config) => ({
  wallet: v.optional(walletSchema(config, 'Only those of this wallet.')),
  token: v.optional(tokenSchema(config, 'Only those with this token on either side.')),
  ...pageEntries,
});

/** What a request for a history has, of points that may have the names of `series`. */
export const historyEntries = <Name extends string>(series: Readonly<Record<Name, unknown>>) => {
  const names = Object.keys(series) as Name[];
  return {
    interval: intervalSchema,
    from: v.optional(
      described(
        timeSchema,
        'The first instant, inclusive. Default: such that the last one is `to`, and the first interval holds the first trade or swap.',
        '2024-01-05T00:00:00Z',
      ),
    ),
    to: v.optional(toSchema),
    metrics: v.optional(
      described(namesSchema(names), 'What each point has beside `timestamp`. Default: everything.', names.slice(0, 2)),
    ),
  };
};
