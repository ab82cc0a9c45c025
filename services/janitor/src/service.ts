import { digestStore } from '@postrider/shared/mongo/digest-store';
import { history } from '@postrider/shared/mongo/history';
import { connectPlatform } from '@postrider/shared/platform/platform';
import type { Logger } from '@postrider/shared/runtime/log';
import { newTraceId } from '@postrider/shared/runtime/trace';
import type { Config } from './config.js';
import { sendDigests } from './digest.js';
import { removeExpired } from './remove-expired.js';
import { sweep } from './sweep.js';

/** The composition root of the janitor. @returns whether both tasks succeeded */
export async function runJanitor(config: Config, log: Logger): Promise<boolean> {
  const platform = await connectPlatform(config, 'janitor', log);
  const { database, relay, clock } = platform;
  const store = digestStore({ database, relay, clock, outboxClaimMs: config.OUTBOX_CLAIM, newTraceId });
  const cleanup = {
    history: history(database),
    clock,
    retentionMs: config.RETENTION,
    budgetMs: config.TIME_BUDGET,
    log,
  };
  const failed = await sweep(
    [
      { name: 'cleanup', run: () => removeExpired(cleanup) },
      { name: 'digest', run: () => sendDigests({ store, clock, log }) },
    ],
    log,
  );
  await platform.close();
  return failed.length === 0;
}
