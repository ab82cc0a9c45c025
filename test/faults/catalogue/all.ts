import type { Fault } from '../fault.js';
import { BACKLOGS } from './backlogs.js';
import { CLOCKS } from './clocks.js';
import { JANITOR_FAULTS } from './janitor.js';
import { MESSAGES } from './messages.js';
import { OPERATORS } from './operators.js';
import { OUTAGES } from './outages.js';
import { PROCESSES } from './processes.js';
import { RECEIVERS } from './receivers.js';
import { REPLAYS } from './replays.js';
import { SERVERS } from './servers.js';
import { SILENT_WORKSPACE } from './silent-workspace.js';
import { SLOW_NAMES } from './slow-names.js';
import { STORMS } from './storms.js';

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
  ...SILENT_WORKSPACE,
  ...SLOW_NAMES,
  ...STORMS,
].sort((a, b) => a.number - b.number);
