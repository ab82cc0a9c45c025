import type { Fault } from './fault.js';
import { BACKLOGS } from './faults/backlogs.js';
import { BROKER } from './faults/broker.js';
import { CLOCKS } from './faults/clocks.js';
import { DATABASE } from './faults/database.js';
import { CLEANING } from './faults/janitor.js';
import { KILLS_OF_OTHERS, KILLS_OF_THE_DISPATCHER } from './faults/kills.js';
import { MEMBERS } from './faults/members.js';
import { MESSAGES } from './faults/messages.js';
import { OPERATORS } from './faults/operators.js';
import { RECEIVERS } from './faults/receivers.js';
import { REGISTRY } from './faults/registry.js';

/** All of them, by their numbers. */
export const FAULTS: readonly Fault[] = [
  ...KILLS_OF_THE_DISPATCHER,
  ...KILLS_OF_OTHERS,
  ...MEMBERS,
  ...BROKER,
  ...DATABASE,
  ...RECEIVERS,
  ...CLOCKS,
  ...MESSAGES,
  ...BACKLOGS,
  ...OPERATORS,
  ...CLEANING,
  ...REGISTRY,
].sort((a, b) => a.number - b.number);
