/** Whether tests run whole: `npm run test:whole`. Without it the dearest run a part of their cases, always the same. */
export const isWhole = process.env.SWAPFOLD_WHOLE === '1';
