import test from 'node:test';
import { memory } from '@swapfold/core';
import { describeStorage } from '@swapfold/core/conformance';

describeStorage({
  test,
  open: async () => ({ adapter: memory(), reopen: undefined, dispose: async () => undefined }),
});
