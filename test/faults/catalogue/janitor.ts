import type { Fault } from '../fault.js';
import { OK } from '../load/receiver.js';
import { cleanUp, RETENTION_MS } from '../steps/cleanups.js';
import { addEndpoints, answer } from '../steps/frequent.js';

/** An endpoint so slow that its deliveries wait for longer than the retention. */
const LATE = '/late';
const LATE_MS = 2_000;

export const JANITOR_FAULTS: readonly Fault[] = [
  {
    number: 25,
    name: 'the janitor removes deliveries while others are sent and replayed',
    retentionMs: RETENTION_MS,
    checkEveryMs: 2_000,
    overloaded: [LATE],
    steps: [addEndpoints([LATE], () => ({ ...OK, delayMs: LATE_MS })), cleanUp, answer([LATE], () => OK)],
  },
];
