#!/usr/bin/env node
// In a clone npm links this file at install, when nothing has been built yet.
import('../dist/bin.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !/^Cannot find module '[^']*[\\/]dist[\\/]/.test(error.message))
    throw error;
  console.error('error: Swapfold is not built here. In the clone, run: npm ci && npm run build:js');
  process.exitCode = 1;
});
