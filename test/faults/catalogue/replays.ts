import type { Fault } from '../fault.js';
import { OK } from '../load/receiver.js';
import { ALL_CRASHES, replayDuringCrashes, startCrashingApis } from '../steps/crashing-replay-job.js';
import { addEndpoints, paths } from '../steps/frequent.js';
import { arrivedInOrder, eachIsReplayedOnce, enable, hold, untilReplayed } from '../steps/held-deliveries.js';

const HELD_PATH = '/held';
const HELD_EVENTS = 5_000;
const REPLAYED_PATHS = paths('/replayed', 20);
const EVENTS_EACH = 500;
const REPLAYED = REPLAYED_PATHS.length * EVENTS_EACH;

const well = () => OK;

export const REPLAYS: readonly Fault[] = [
  {
    number: 35,
    name: `an endpoint is disabled, misses ${HELD_EVENTS.toLocaleString('en')} events, and gets them when it is enabled`,
    checkEveryMs: 30_000,
    prepare: addEndpoints([HELD_PATH], well),
    steps: [
      hold([HELD_PATH], HELD_EVENTS),
      enable([HELD_PATH], { replayHeld: true }),
      untilReplayed([HELD_PATH]),
      eachIsReplayedOnce([HELD_PATH]),
      arrivedInOrder(HELD_PATH),
    ],
  },
  {
    number: 36,
    name: `up to ${ALL_CRASHES} crashes of api processes with the lease of a job that replays ${REPLAYED.toLocaleString('en')} deliveries`,
    rate: 2,
    checkEveryMs: 60_000,
    settings: () => ({ REPLAY_LEASE: '3s', REPLAY_POLL_INTERVAL: '500ms' }),
    prepare: addEndpoints(REPLAYED_PATHS, well),
    steps: [
      hold(REPLAYED_PATHS, EVENTS_EACH),
      enable(REPLAYED_PATHS, {}),
      startCrashingApis,
      replayDuringCrashes(REPLAYED),
      untilReplayed(REPLAYED_PATHS),
      eachIsReplayedOnce(REPLAYED_PATHS),
    ],
  },
];
