import { main } from './main.ts';
import { outliveBrokenPipes } from './output.ts';

outliveBrokenPipes();
process.exitCode = await main(process.argv.slice(2));
