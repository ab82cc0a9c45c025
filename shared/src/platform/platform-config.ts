import { LONGEST_CLAIM_MS } from '../ports/outbox.js';
import { bool, type CleanedEnv } from '../runtime/config.js';
import { LISTENING, LOGGING, START, TESTING } from '../runtime/process-config.js';
import { duration, encryptionKeys } from '../runtime/variables.js';
import { TRACING } from '../tracing/tracing-config.js';
import { KAFKA, MONGODB } from './access-config.js';

const claim = duration({ least: '1s', most: `${LONGEST_CLAIM_MS / 60_000}m` });
const statsPause = duration({ least: '100ms', most: '10s' });
const sweepPause = duration({ least: '100ms', most: '5m' });

/** Encryption of secrets in the database. */
export const ENCRYPTION = {
  ENCRYPTION_KEYS: encryptionKeys({
    desc: 'Keys for secrets at rest, id:base64 of 32 bytes; the first key encrypts, all keys decrypt',
    example: 'k1:$(openssl rand -base64 32)',
  }),
};

/** Publishing what transactions have stored. */
const OUTBOX = {
  OUTBOX_CLAIM: claim({ default: 15_000, desc: 'How long outbox records are reserved for their writer' }),
  OUTBOX_SWEEP_INTERVAL: sweepPause({
    default: 2_000,
    desc: 'Shortest pause between two sweeps of the outbox; without records it is OUTBOX_CLAIM',
  }),
};

/** The topic that shows what happens to deliveries. */
const OUTCOMES = {
  OUTCOMES: bool({
    default: true,
    desc: 'Publish what happens to deliveries to webhook.outcomes; without it there are no streams',
  }),
};

/** The hourly counts of deliveries. */
const STATS = {
  STATS_FLUSH_INTERVAL: statsPause({
    default: 5_000,
    desc: 'How often the hourly counts of deliveries are stored, up to every 10 s while more than 1,000 endpoints are counted; a crash loses those since the last time until the janitor recounts',
  }),
};

/** What connects a service to its platform. */
const CONNECTIONS = { ...MONGODB, ...KAFKA, ...START, ...OUTBOX, ...OUTCOMES, ...STATS, ...TESTING };

export type PlatformConfig = Pick<CleanedEnv<typeof CONNECTIONS>, keyof typeof CONNECTIONS>;

/** The variables of every service. */
export const PLATFORM = { ...LOGGING, ...LISTENING, ...TRACING, ...CONNECTIONS };
