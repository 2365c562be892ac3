/**
 * Writes the figures of reports into docs/internals/performance.md and bench/results/*.md, and draws the chart:
 * `npm run bench -- publish bench/results/*.json`. The reports come from `npm run bench -- all --full --json FILE`; those of a run whose
 * machine was disturbed are refused, unless `--disturbed` stands among them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { drawChart } from './chart.ts';
import { publish, putFigures } from './publish.ts';
import type { Report } from './row.ts';

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'docs/internals/performance.md');

const files = process.argv.slice(2).filter((argument) => argument !== '--disturbed');
if (files.length === 0) throw new Error('Name the reports: npm run bench -- publish bench/results/*.json');
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const { figures, tables } = publish(reports, process.argv.includes('--disturbed'));
writeFileSync(page, putFigures(readFileSync(page, 'utf8'), figures));
for (const [file, table] of tables) writeFileSync(join(root, 'bench/results', file), table);
writeFileSync(join(root, 'docs/internals/performance.svg'), drawChart(reports));
