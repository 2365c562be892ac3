/** Until when a profile holds that time alone does not change. */
export const FOREVER = 2 ** 52;
