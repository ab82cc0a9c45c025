import type { Fault } from './fault.js';
import { BACKLOGS } from './faults/backlogs.js';
import { CLOCKS } from './faults/clocks.js';
import { JANITOR_FAULTS } from './faults/janitor.js';
import { MESSAGES } from './faults/messages.js';
import { NEIGHBOURS } from './faults/neighbours.js';
import { OPERATORS } from './faults/operators.js';
import { OUTAGES } from './faults/outages.js';
import { PROCESSES } from './faults/processes.js';
import { RECEIVERS } from './faults/receivers.js';
import { REPLAYS } from './faults/replays.js';
import { SERVERS } from './faults/servers.js';
import { SLOW_NAMES } from './faults/slow-names.js';
import { STORMS } from './faults/storms.js';

/** All faults, ordered by number. */
export const FAULTS: readonly Fault[] = [
  ...PROCESSES,
  ...SERVERS,
  ...RECEIVERS,
  ...MESSAGES,
  ...BACKLOGS,
  ...OPERATORS,
  ...JANITOR_FAULTS,
  ...OUTAGES,
  ...CLOCKS,
  ...REPLAYS,
  ...NEIGHBOURS,
  ...SLOW_NAMES,
  ...STORMS,
].sort((a, b) => a.number - b.number);
