import { EGRESS, EGRESS_WAY } from '@postrider/shared/platform/egress-config';
import { ENCRYPTION, HEALTH, PLATFORM } from '@postrider/shared/runtime/common-config';
import { duration, fraction, readConfig as read, wholeNumber } from '@postrider/shared/runtime/config';

const step = duration({ least: '10ms', most: '1d' });
const deadline = duration({ least: '100ms', most: '5m' });

export const DECLARATION = {
  ...PLATFORM,
  ...HEALTH,
  ...ENCRYPTION,
  ...EGRESS,
  ...EGRESS_WAY,
  RETRY_STEP: step({
    default: 30_000,
    desc: 'Step of the retry back-off: after the n-th failure a delivery waits n steps, at most 6',
  }),
  DELIVERY_TIMEOUT: deadline({
    default: 10_000,
    desc: 'Deadline of a delivery POST: name look-up, connect and response headers',
  }),
  BODY_TIMEOUT: deadline({ default: 2_000, desc: 'Deadline for reading the first 2 KiB of a response body' }),
  BATCH_SIZE: wholeNumber(1)({ default: 25, desc: 'Maximum number of rows in one read' }),
  MAX_CONCURRENCY: wholeNumber(1)({ default: 4, desc: 'Maximum number of POSTs in flight to one endpoint' }),
  LOG_SAMPLE_DELIVERED: fraction({
    default: 0.01,
    desc: 'Fraction of delivered attempts that is logged, 0 to 1; failed attempts are always logged',
  }),
  MAX_IN_FLIGHT: wholeNumber(1)({ default: 1_024, desc: 'Maximum number of POSTs in flight in one process' }),
};

export type Config = ReturnType<typeof readConfig>;

/** @throws ConfigurationError that lists every problem with the variable's name */
export const readConfig = (env: NodeJS.ProcessEnv) => read(env, DECLARATION);
