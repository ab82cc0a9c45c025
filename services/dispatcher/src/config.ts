import { DEFAULT_PROBE_STEP_MS } from '@postrider/shared/domain/recovery-probe';
import { EGRESS, EGRESS_WAY } from '@postrider/shared/platform/egress-config';
import { ENCRYPTION, PLATFORM } from '@postrider/shared/platform/platform-config';
import { readConfig as read } from '@postrider/shared/runtime/config';
import { HEALTH } from '@postrider/shared/runtime/process-config';
import { duration, fraction, wholeNumber } from '@postrider/shared/runtime/variables';
import { OUTAGE_GUARD } from './guard-config.js';

const step = duration({ least: '10ms', most: '1d' });
const poll = duration({ least: '100ms', most: '1m' });
const deadline = duration({ least: '100ms', most: '5m' });

export const DECLARATION = {
  ...PLATFORM,
  ...HEALTH,
  ...ENCRYPTION,
  ...EGRESS,
  ...EGRESS_WAY,
  ...OUTAGE_GUARD,
  RETRY_STEP: step({
    default: 30_000,
    desc: 'Step of the retry backoff: after the n-th failure a delivery waits n steps, at most 6',
  }),
  PROBE_STEP: step({
    default: DEFAULT_PROBE_STEP_MS,
    desc: 'Step of the schedule of recovery probes: after 1, 3, 6, 12 and then every 24 steps, up to 864, a disabled endpoint with recovery "probe" gets a test event',
  }),
  DELIVERY_TIMEOUT: deadline({
    default: 10_000,
    desc: 'Deadline of a delivery POST: name lookup, connect and response headers',
  }),
  BODY_TIMEOUT: deadline({ default: 2_000, desc: 'Deadline for reading the first 2 KiB of a response body' }),
  BATCH_SIZE: wholeNumber(1)({ default: 25, desc: 'Maximum number of rows in one read' }),
  MAX_CONCURRENCY: wholeNumber(1)({ default: 4, desc: 'Maximum number of POSTs in flight to one endpoint' }),
  HELD_PER_ENDPOINT: wholeNumber(0)({
    default: 10_000,
    desc: 'Deliveries that are held for an endpoint since it was disabled; beyond that they are only counted',
  }),
  CONFORMANCE_POLL_INTERVAL: poll({
    default: 2_000,
    desc: 'How often a process looks for conformance checks to run',
  }),
  LOG_SAMPLE_DELIVERED: fraction({
    default: 0.01,
    desc: 'Fraction of delivered attempts that is logged, 0 to 1',
  }),
  LOG_FAILED_PER_SECOND: wholeNumber(
    0,
    100_000,
  )({
    default: 100,
    desc: 'Failed attempts that one process logs per second, at most a tenth of them for one endpoint; those that disable their endpoint are always logged',
  }),
  MAX_IN_FLIGHT: wholeNumber(1)({
    default: 1_024,
    desc: 'Maximum number of prompt POSTs in one process: those in flight for less than a second, or 250 ms to endpoints that are not known to answer. One workspace uses about eight ninths of them at most',
  }),
  MAX_LINGERING: wholeNumber(
    4,
    65_536,
  )({
    default: 4_096,
    desc: 'Number of lingering POSTs in one process, in flight for longer, at which endpoints that are not known to answer get no more',
  }),
  MAX_JOBS: wholeNumber(
    1_000,
    1_000_000,
  )({
    default: 32_000,
    desc: 'Maximum number of jobs in memory of one process, some 1 KiB each; what exceeds it is read from the rows later, but for retries that wait, at most half as many',
  }),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
