import type { Fault } from '../fault.js';
import { POPULATION } from '../load/population.js';
import { OK } from '../load/receiver.js';
import {
  acceptEvents,
  drainWithLimits,
  ENDPOINTS,
  EVENTS,
  expectOverdueRetries,
} from '../steps/drained-backlog.js';
import { addEndpoints, answer, paths, pause, startDispatchers, stopDispatchers } from '../steps/frequent.js';
import { missingLimits } from '../world/limit-process.js';

/** More endpoints give more retries without more events. */
const MORE_PATHS = paths('/more', 8);
const ALL_PATHS = [...Object.keys(POPULATION), ...MORE_PATHS];

const well = () => OK;

export const BACKLOGS: readonly Fault[] = [
  {
    number: 22,
    name: 'half of all deliveries fail, no dispatcher runs for 20 s, then all retries are due at once',
    quick: true,
    outage: 'dispatchers',
    rate: 15,
    // Longer than the failures: no dispatcher makes a retry before they are stopped.
    stepMs: 8_000,
    async prepare(world) {
      await addEndpoints(MORE_PATHS, well)(world);
      // With such a step, endpoints that fail for good would take minutes.
      await answer(ALL_PATHS, well)(world);
    },
    steps: [
      // Half of the deliveries, so that no endpoint is disabled.
      answer(ALL_PATHS, (bucket, earlier) => (earlier === 0 && bucket < 50 ? { status: 503 } : OK)),
      pause(7),
      stopDispatchers,
      pause(20),
      expectOverdueRetries,
      answer(ALL_PATHS, well),
      startDispatchers(2),
    ],
  },
  {
    number: 26,
    name: `one dispatcher with 512 MB and half a core has a backlog of ${(ENDPOINTS * EVENTS).toLocaleString('en')}`,
    outage: 'dispatchers',
    rate: 1,
    dispatchers: 1,
    missing: missingLimits,
    // A check of so much data blocks the receiver for seconds.
    settings: () => ({ DELIVERY_TIMEOUT: '30s' }),
    checkEveryMs: 90_000,
    async prepare(world) {
      // A disabled endpoint would not get its part of the backlog.
      await answer(['/broken'], well)(world);
      await addEndpoints(paths('/many', ENDPOINTS - world.endpoints.length), well)(world);
    },
    steps: [stopDispatchers, acceptEvents, drainWithLimits, startDispatchers(1)],
  },
];
