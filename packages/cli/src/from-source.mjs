// A thread's file as it stands in the repository: tsx compiles for the main thread alone unless it is told.
import { register } from 'tsx/esm/api';

register();
await import(process.argv[2]);
