import type { Fault, Step } from '../fault.js';
import {
  CROWD_PATHS,
  expectInterruptions,
  hasEachOnce,
  joinAndLeave,
  KILLS,
  killInMiddle,
  openCrowd,
  repeatsNoFinishedChunk,
  underStorm,
  untilFannedOut,
  untilInMiddle,
} from '../steps/fan-out-storm.js';
import { startDispatchers, stopDispatchers } from '../steps/frequent.js';
import { crashAtFailpoints } from '../steps/processes.js';
import { untilSettled } from '../steps/settled-dispatchers.js';
import { logFanOut } from '../world/fan-out-log.js';

const CRASHES = 4;
const JOINS = 1;

const times = (count: number, ...steps: readonly Step[]): readonly Step[] =>
  Array.from({ length: count }, () => steps).flat();

export const STORMS: readonly Fault[] = [
  {
    number: 43,
    name: `dispatchers are killed, join and leave between the pages of events for ${CROWD_PATHS.length.toLocaleString('en')} endpoints`,
    rate: 5,
    checkEveryMs: 60_000,
    settings: logFanOut,
    prepare: openCrowd,
    steps: [
      underStorm([
        untilInMiddle,
        stopDispatchers,
        crashAtFailpoints({
          service: 'dispatcher',
          failpoints: [
            { name: 'fanout.progress', within: 8 },
            { name: 'fanout.enqueue', within: 8 },
            { name: 'fanout.progress', within: 8 },
          ],
          times: CRASHES,
        }),
        startDispatchers(1),
        ...times(KILLS, untilSettled, killInMiddle),
        ...times(JOINS, untilSettled, joinAndLeave),
        untilSettled,
      ]),
      untilFannedOut,
      expectInterruptions,
      hasEachOnce,
      repeatsNoFinishedChunk,
    ],
  },
];
