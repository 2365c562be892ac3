import { after } from 'node:test';
import { markCases } from '../../../../test/support/mark-cases.ts';
import { isWhole } from '../../../../test/support/whole.ts';
import { worthCases } from '../../../../test/support/worth-cases.ts';
import { clickhouse } from '../../src/index.ts';
import { openClient } from '../support/chdb.ts';

const { client, dispose } = await openClient();
after(dispose);

let databases = 0;
const open = () => clickhouse({ server: client, database: `swapfold_worth_${process.pid}_${databases++}` });

worthCases('clickhouse', open, { withRules: isWhole });
markCases('clickhouse', open, { withRules: isWhole });
