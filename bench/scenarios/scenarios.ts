import type { Scenario } from '../scenario.js';
import { api } from './api.js';
import { backlog } from './backlog.js';
import { cleanup } from './cleanup.js';
import { compare } from './compare.js';
import { cost } from './cost.js';
import { counters } from './counters.js';
import { crowd } from './crowd.js';
import { delay } from './delay.js';
import { digest } from './digest.js';
import { fanout } from './fanout.js';
import { filters } from './filters.js';
import { hosts } from './hosts.js';
import { idle } from './idle.js';
import { isolation } from './isolation.js';
import { largeWorkspace } from './large-workspace.js';
import { latency } from './latency.js';
import { overload } from './overload.js';
import { publish } from './publish.js';
import { reads } from './reads.js';
import { replay } from './replay.js';
import { restart } from './restart.js';
import { scale } from './scale.js';
import { storm } from './storm.js';
import { streams } from './streams.js';
import { tenants } from './tenants.js';
import { throughput } from './throughput.js';
import { verify } from './verify.js';

/** All scenarios in the order in which they run. */
export const SCENARIOS: readonly Scenario[] = [
  throughput,
  latency,
  isolation,
  delay,
  backlog,
  fanout,
  filters,
  storm,
  largeWorkspace,
  crowd,
  tenants,
  hosts,
  overload,
  scale,
  restart,
  idle,
  cost,
  counters,
  compare,
  publish,
  streams,
  reads,
  replay,
  api,
  verify,
  cleanup,
  digest,
];
