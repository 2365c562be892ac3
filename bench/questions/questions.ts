import { candleQuestions } from './candles.ts';
import { explanationQuestions } from './explanations.ts';
import { listQuestions } from './lists.ts';
import { positionQuestions } from './positions.ts';
import { priceQuestions } from './prices.ts';
import { profileQuestions } from './profiles.ts';
import type { Asked, Question } from './question.ts';

/** Every question of the serving part, in the order of the table. */
export function allQuestions(asked: Asked): readonly Question[] {
  return [
    ...profileQuestions(asked),
    ...positionQuestions(asked),
    ...explanationQuestions(asked),
    ...priceQuestions(asked),
    ...candleQuestions(asked),
    ...listQuestions(asked),
  ];
}
