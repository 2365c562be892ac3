// Runs beside the thread of the store, built or not: plain JavaScript, so that nothing has to compile it.
import { parentPort, workerData } from 'node:worker_threads';
import Database from 'better-sqlite3';

const { path, timeout } = workerData;
const handle = new Database(path, { timeout });
parentPort.on('message', () => {
  try {
    // Passive: it takes no lock that a reader or a writer waits for, and leaves what a reader still needs.
    handle.pragma('wal_checkpoint(passive)');
    parentPort.postMessage(undefined);
  } catch (error) {
    parentPort.postMessage(error);
  }
});
