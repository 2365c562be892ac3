// Generated from docs/guides/extend.md by test/generate-docs/blocks.ts.
import test from 'node:test';
import { memory } from '@swapfold/core';
import { describeStorage } from '@swapfold/testing';

describeStorage({
  test,
  open: async () => ({ adapter: memory(), reopen: undefined, dispose: async () => undefined }),
});
export {};
