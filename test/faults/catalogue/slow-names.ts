import type { Fault } from '../fault.js';
import { STEADY } from '../load/population.js';
import { pause } from '../steps/frequent.js';
import { underOtherLoad } from '../steps/other-workspaces.js';
import {
  answerNames,
  expectPrompt,
  expectStale,
  NAME_SERVER_PORT,
  NAMED,
  nothingFailed,
  STALL_MS,
  stallNames,
  startNames,
} from '../steps/stalling-names.js';

const STALLED_S = 40;
const KNOWN_S = 8;

export const SLOW_NAMES: readonly Fault[] = [
  {
    number: 38,
    name: `the name server takes ${STALL_MS / 1_000} s for each answer`,
    healthy: STEADY,
    settings: () => ({ EGRESS_NAME_SERVERS: `127.0.0.1:${NAME_SERVER_PORT}` }),
    prepare: startNames,
    steps: [
      underOtherLoad([NAMED], [pause(KNOWN_S), stallNames, pause(STALLED_S)]),
      answerNames,
      nothingFailed,
      expectStale,
      expectPrompt,
    ],
  },
];
