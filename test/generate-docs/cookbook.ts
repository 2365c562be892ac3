import { writeFileSync } from 'node:fs';
import { printedRecipes, recipePath } from '../support/cookbook.ts';

/** Writes what the commands of the recipes print into docs/cookbook. */
for (const [name, page] of await printedRecipes()) writeFileSync(recipePath(name), page);
