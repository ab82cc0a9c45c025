import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ChangeStreamDeleteDocument, Document } from 'mongodb';
import { programFile } from '#dev/programs/programs';
import type { Step } from '../fault.js';
import { openEndpoint, REJECTS_SOME } from '../load/population.js';
import { replay } from '../load/sends.js';
import { TERMINAL } from '../oracle/evidence.js';
import type { World } from '../world/world.js';
import { atLeast } from './frequent.js';

const run = promisify(execFile);
export const RETENTION_MS = 40_000;
const CLEAN_EVERY_MS = 3_000;
const CLEANUPS = 24;

/** Collects removed deliveries as they were before their removal. @returns a function that stops it and returns them */
async function watchRemovals({ db }: World): Promise<() => Promise<readonly Document[]>> {
  await db.command({ collMod: 'deliveries', changeStreamPreAndPostImages: { enabled: true } });
  const removed: Document[] = [];
  const stream = db
    .collection('deliveries')
    .watch<Document, ChangeStreamDeleteDocument>([{ $match: { operationType: 'delete' } }], {
      fullDocumentBeforeChange: 'required',
    });
  // The stream starts with the first read.
  await stream.tryNext();
  const reading = (async () => {
    for await (const { fullDocumentBeforeChange } of stream)
      if (fullDocumentBeforeChange !== undefined) removed.push(fullDocumentBeforeChange);
  })().catch(() => {});
  return async () => {
    await stream.close();
    await reading;
    return removed;
  };
}

/** Counts unfinished deliveries that are older than the retention. */
function countOldUnfinished({ db }: World): Promise<number> {
  const before = new Date(Date.now() - RETENTION_MS);
  return db.collection('deliveries').countDocuments({ dueAt: { $exists: true }, createdAt: { $lt: before } });
}

export const cleanUp: Step = async (world) => {
  const env = { ...process.env, ...world.env, RETENTION: `${RETENTION_MS}ms` };
  const { id: endpointId } = await openEndpoint(world, '/replayed', REJECTS_SOME);
  const stopWatching = await watchRemovals(world);
  let mostUnfinished = 0;
  for (let cleanups = 0; cleanups < CLEANUPS; cleanups += 1) {
    await Promise.all([
      run(process.execPath, [programFile('janitor')], { env }),
      replay(world, { endpointId, most: 5, from: 'latest' }),
      replay(world, { endpointId, most: 5, from: 'oldest' }),
      sleep(CLEAN_EVERY_MS),
    ]);
    mostUnfinished = Math.max(mostUnfinished, await countOldUnfinished(world));
  }
  const removed = await stopWatching();
  world.log(
    `${removed.length} deliveries were removed; up to ${mostUnfinished} old unfinished ones were kept`,
  );
  const unfinished = removed.filter(({ status }) => !TERMINAL.has(status)).map(({ _id }) => _id);
  if (unfinished.length > 0)
    throw new Error(`${unfinished.length} unfinished deliveries were removed, such as ${unfinished[0]}`);
  atLeast(1, removed.length, 'deliveries were removed');
  atLeast(1, mostUnfinished, 'unfinished deliveries were older than the retention');
};
