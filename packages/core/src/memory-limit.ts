import { totalmem } from 'node:os';

/** Bytes of memory that this process may hope for: the memory of the machine, or of its container if the container has less. */
export function machineMemory(): number {
  // Without a limit the container's is a huge one, or none.
  return Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
}
