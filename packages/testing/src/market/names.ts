/** Names as people give them to tokens: other scripts, emoji, commas and quotes included. */
export const tokenNames: readonly (readonly [symbol: string, name: string])[] = [
  ['BONKO', 'Bonko the Dog'],
  ['猫', '招き猫コイン'],
  ['PEPE2', 'Pepe, the Second'],
  ['🚀', 'To the Moon 🚀🌕'],
  ['WIFHAT', 'dog wif "hat"'],
  ['龙', '龙年发财'],
  ['GIGA', 'Gigachad'],
  ['CAFÉ', 'Café au Lait'],
  ['MEOW', 'Meow Meow 😺'],
  ['김치', '김치 프리미엄'],
  ['AI16X', 'ai16x by virtual agents'],
  ['ZERO', 'Zero & Sons <ltd>'],
  ['ПУТЬ', 'Долгий путь'],
  ['RUGGED', "Don't rug me"],
  ['عملة', 'عملة الصحراء'],
  ['FARTX', 'Fart 💨 Exchange'],
];

export const nameHeads = [
  'Baby',
  'Super',
  'Turbo',
  'Moon',
  'Based',
  'Shadow',
  'Golden',
  'Tiny',
  'Mega',
  'Lucky',
  'Lazy',
  'Solar',
] as const;
export const nameTails = [
  'Cat',
  'Dog',
  'Frog',
  'Ape',
  'Rocket',
  'Pepe',
  'Panda',
  'Whale',
  'Bot',
  'King',
  'Goblin',
  'Chad',
  'Otter',
] as const;
export const walletNames = [
  'ansem.sol',
  'Mia 🐋',
  '小明',
  'degen "Dan"',
  'Orca Ω',
  'niko, the trader',
  'Zoë',
  'CryptoKat',
  'Иван',
  'bonkler',
] as const;

export const protocols = [
  'raydium_amm',
  'orca_whirlpool',
  'pump_amm',
  'meteora_dlmm',
  'raydium_clmm',
  'phoenix',
  'pump_fun',
] as const;

/** Places in `protocols`. */
export const protocolOf = { raydium: 0, orca: 1, pumpAmm: 2, meteora: 3, clmm: 4, phoenix: 5, pumpFun: 6 } as const;
