import { randomUUID } from 'node:crypto';
import { idOf } from '@postrider/shared/domain/id';
import { createConformanceCheckStore } from '@postrider/shared/mongo/conformance-check-store';
import type { Platform } from '@postrider/shared/platform/platform';
import type { Log } from '@postrider/shared/ports/log';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { sleep } from '@postrider/shared/runtime/sleep';
import type { Config } from './config.js';
import { createRunCheck, type RunCheckParts } from './conformance/run-check.js';
import { type RunningChecks, startChecks } from './conformance/start-checks.js';

interface ConformanceParts extends Pick<RunCheckParts, 'poster' | 'keys' | 'guard' | 'userAgent'> {
  readonly config: Pick<Config, 'DELIVERY_TIMEOUT' | 'BODY_TIMEOUT' | 'CONFORMANCE_POLL_INTERVAL'>;
  readonly platform: Pick<Platform, 'database' | 'clock'>;
  readonly log: Log;
}

/** Maximum number of requests of one probe. */
const REQUESTS = 2;
/** How long storing a result may take, in milliseconds. */
const STORING_MS = 15_000;

/** Runs the conformance checks whose leases this process gets. */
export function startConformanceChecks({ config, platform, log, ...parts }: ConformanceParts): RunningChecks {
  const { database, clock } = platform;
  const sleepInBackground = (ms: number) => sleep(ms, { ref: false });
  const store = createConformanceCheckStore({
    collections: database.collections,
    clock,
    holder: randomUUID(),
    leaseMs: REQUESTS * (config.DELIVERY_TIMEOUT + config.BODY_TIMEOUT) + STORING_MS,
  });
  const run = createRunCheck({
    ...parts,
    store,
    clock,
    newId: (kind, at) => idOf(kind, at, randomTail()),
    sleep: sleepInBackground,
  });
  return startChecks({
    store,
    run,
    pollEveryMs: config.CONFORMANCE_POLL_INTERVAL,
    sleep: sleepInBackground,
    log,
  });
}
