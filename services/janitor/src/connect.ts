import { eventsKeptMs } from '@postrider/shared/kafka/events-kept';
import {
  type ConnectedDatabase,
  connectDatabase,
  LEFT_TO_SWEEPS,
} from '@postrider/shared/platform/connect-database';
import { connectPlatform, type Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { NotReachable } from '@postrider/shared/runtime/retry-until';
import type { Config } from './config.js';

/** All that the tasks need. */
export interface Connected extends ConnectedDatabase {
  readonly relay: Pick<Platform['relay'], 'offer'>;
  /** How long a stored outbox record is left to this process, in milliseconds. */
  readonly outboxClaimMs: number;
  /** How long events may stay on their topic, in milliseconds. Rejects if the broker is not connected. */
  readonly eventsKeptMs: () => Promise<number>;
}

/**
 * Connects like every service. If that fails, connects to the database alone: the tasks need no more. Each attempt waits for
 * START_TIMEOUT.
 */
export async function connect(config: Config, log: Log): Promise<Connected> {
  try {
    const platform = await connectPlatform(config, 'janitor', log);
    const { kafka, names } = platform;
    return {
      ...platform,
      outboxClaimMs: config.OUTBOX_CLAIM,
      eventsKeptMs: () => eventsKeptMs(kafka, names),
    };
  } catch (err) {
    if (!(err instanceof NotReachable)) throw err;
    log.warn(
      { event: 'janitor.database_only', err },
      'not everything is reachable; the tasks use the database alone, and another service publishes the digests',
    );
    const connected = await connectDatabase(config, 'janitor', log);
    return { ...connected, ...LEFT_TO_SWEEPS, eventsKeptMs: () => Promise.reject(err) };
  }
}
