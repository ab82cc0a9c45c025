import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ChangeStreamDeleteDocument, Document } from 'mongodb';
import type { Fault } from '../fault.js';
import { CAPRICIOUS, openEndpoint } from '../load/population.js';
import { OK } from '../load/receiver.js';
import { replaySome } from '../load/sends.js';
import { TERMINAL } from '../oracle/evidence.js';
import type { World } from '../world/world.js';

const JANITOR = fileURLToPath(new URL('../../../../services/janitor/dist/src/main.js', import.meta.url));
const run = promisify(execFile);
const RETENTION_MS = 40_000;
const CLEAN_EVERY_MS = 3_000;
const CLEANUPS = 24;
/** So slow that deliveries wait here for longer than they are kept. */
const SLOW_MS = 2_000;
const LATE = '/late';

/** Rows as they were when they were removed. */
interface Removals {
  readonly removed: readonly Document[];
  stop(): Promise<void>;
}

/** The database itself tells of every row that is removed, and what it was. */
async function watchRemovals({ db }: World): Promise<Removals> {
  await db.command({ collMod: 'deliveries', changeStreamPreAndPostImages: { enabled: true } });
  const removed: Document[] = [];
  const stream = db
    .collection('deliveries')
    .watch<Document, ChangeStreamDeleteDocument>([{ $match: { operationType: 'delete' } }], {
      fullDocumentBeforeChange: 'required',
    });
  // The stream begins where it is first asked for more.
  await stream.tryNext();
  const reading = (async () => {
    for await (const { fullDocumentBeforeChange } of stream)
      if (fullDocumentBeforeChange !== undefined) removed.push(fullDocumentBeforeChange);
  })().catch(() => {});
  return {
    removed,
    async stop() {
      await stream.close();
      await reading;
    },
  };
}

/** Rows that are kept for as long as they have not ended. */
function oldAndOpen({ db }: World): Promise<number> {
  const before = new Date(Date.now() - RETENTION_MS);
  return db.collection('deliveries').countDocuments({ dueAt: { $exists: true }, createdAt: { $lt: before } });
}

/** @throws Error when nothing was removed, something that had not ended was, or nothing had waited so long */
async function cleanUpBehind(world: World): Promise<void> {
  const env = { ...process.env, ...world.env, RETENTION: `${RETENTION_MS}ms` };
  const { id } = await openEndpoint(world, '/replayed', CAPRICIOUS);
  world.endpoints.push(await openEndpoint(world, LATE, () => ({ ...OK, delayMs: SLOW_MS })));
  const removals = await watchRemovals(world);
  let mostOpen = 0;
  for (let cleanups = 0; cleanups < CLEANUPS; cleanups += 1) {
    await Promise.all([
      run(process.execPath, [JANITOR], { env }),
      replaySome(world, { endpointId: id, most: 5, of: 'latest' }),
      replaySome(world, { endpointId: id, most: 5, of: 'oldest' }),
      wait(CLEAN_EVERY_MS),
    ]);
    mostOpen = Math.max(mostOpen, await oldAndOpen(world));
  }
  world.receiver.behave(LATE, () => OK);
  await removals.stop();
  const { removed } = removals;
  world.say(
    `${removed.length} deliveries were removed; up to ${mostOpen} older ones were kept, not yet at their end`,
  );
  const open = removed.filter(({ status }) => !TERMINAL.has(status));
  if (open.length > 0)
    throw new Error(`${open.length} deliveries were removed before their end, such as ${open[0]?._id}`);
  if (removed.length === 0) throw new Error('no delivery was removed');
  if (mostOpen === 0) throw new Error('no delivery was older than they are kept and had not ended');
}

export const CLEANING: readonly Fault[] = [
  {
    number: 25,
    name: 'the janitor cleans up behind live deliveries and replays',
    quick: false,
    retentionMs: RETENTION_MS,
    lookEveryMs: 2_000,
    overloaded: [LATE],
    run: cleanUpBehind,
  },
];
