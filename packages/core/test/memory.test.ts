import test from 'node:test';
import { describeStorage } from '@swapfold/testing';
import { memory } from '../src/memory/memory.ts';

describeStorage({
  test,
  open: async () => ({ adapter: memory(), reopen: undefined, dispose: async () => undefined }),
});
