import { asId, type DeliveryId, type ReplayJobId } from '@postrider/shared/domain/id';
import { handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Collections, ReplaySourcesDocument } from '@postrider/shared/mongo/collections';
import type { Log } from '@postrider/shared/ports/log';
import type { ClientSession } from 'mongodb';

type Sources = Pick<Collections, 'replaySources'>;

/** No job runs longer. The end of a job and its cancellation remove its sources; this is for those that a crash right then left. */
const KEPT_MS = 180 * 24 * 60 * 60 * 1_000;
const PLACE_DIGITS = 12;

function sourcesId(jobId: ReplayJobId, first: number): string {
  return `${jobId}:${String(first).padStart(PLACE_DIGITS, '0')}`;
}

/** The documents with the matched deliveries up to this place. */
function upTo(jobId: ReplayJobId, place: number) {
  return { $gte: `${jobId}:`, $lte: sourcesId(jobId, place) };
}

function sourcesOf(jobId: ReplayJobId) {
  return { $gte: `${jobId}:`, $lt: `${jobId};` };
}

/** Remembers matched deliveries behind those that the job has already. */
export async function addSources(
  { replaySources }: Sources,
  { id, matched: first, createdAt }: ReplayJob,
  ids: readonly DeliveryId[],
  session: ClientSession,
): Promise<void> {
  const expiresAt = new Date(createdAt.getTime() + KEPT_MS);
  await replaySources.insertOne({ _id: sourcesId(id, first), first, ids, expiresAt }, { session });
}

/** The matched deliveries that follow those that were handled, at most `limit`. */
export async function nextSources(
  { replaySources }: Sources,
  job: ReplayJob,
  { limit, session }: { readonly limit: number; readonly session: ClientSession },
): Promise<readonly DeliveryId[]> {
  const handled = handledBy(job);
  const following = { $slice: ['$ids', { $subtract: [handled, '$first'] }, limit] };
  const [found] = await replaySources
    .aggregate<Pick<ReplaySourcesDocument, 'ids'>>(
      [
        { $match: { _id: upTo(job.id, handled) } },
        { $sort: { _id: -1 } },
        { $limit: 1 },
        { $project: { ids: following } },
      ],
      { session },
    )
    .toArray();
  if (found === undefined) throw new Error(`replay job ${job.id} lacks the deliveries that it matched`);
  return found.ids.map((id) => asId('delivery', id));
}

/** The matched deliveries that were handled last: those of the last two documents. */
export async function lastSources(
  { replaySources }: Sources,
  job: ReplayJob,
): Promise<readonly DeliveryId[]> {
  const handled = handledBy(job);
  const found = replaySources
    .find({ _id: upTo(job.id, handled) })
    .sort({ _id: -1 })
    .limit(2);
  const last = (await found.toArray()).toReversed();
  return last.flatMap(({ first, ids }) => ids.slice(0, handled - first).map((id) => asId('delivery', id)));
}

/** The oldest and the newest of the deliveries in one document. */
interface SourcesRange {
  readonly _id: string;
  readonly oldest: string;
  readonly newest: string;
}

/** What a job has. */
interface KnownSources {
  /** @returns those of some deliveries, oldest first, that the job does not have. */
  without(ids: readonly DeliveryId[]): Promise<readonly DeliveryId[]>;
}

/** Reads what a job has now. Its documents have a slice each: only those that may have a delivery in question are read again. */
export async function readKnown({ replaySources }: Sources, { id }: ReplayJob): Promise<KnownSources> {
  const ranges = await replaySources
    .aggregate<SourcesRange>([
      { $match: { _id: sourcesOf(id) } },
      { $project: { oldest: { $first: '$ids' }, newest: { $last: '$ids' } } },
    ])
    .toArray();
  return {
    async without(ids) {
      const [from = '', to = ''] = [ids[0], ids.at(-1)];
      const near = ranges.filter(({ oldest, newest }) => oldest <= to && newest >= from);
      const found = replaySources.find({ _id: { $in: near.map(({ _id }) => _id) } });
      const known = new Set((await found.toArray()).flatMap((sources) => sources.ids));
      return ids.filter((one) => !known.has(one));
    },
  };
}

export async function forgetSources({ replaySources }: Sources, jobId: ReplayJobId): Promise<void> {
  await replaySources.deleteMany({ _id: sourcesOf(jobId) });
}

/**
 * Removes what a cancelled job matched. A failure is logged only: the job has been cancelled, and the database removes what
 * is left at its expiry.
 */
export function createForgetMatched(collections: Sources, log: Log): (jobId: ReplayJobId) => Promise<void> {
  return async (jobId) => {
    try {
      await forgetSources(collections, jobId);
    } catch (error) {
      log.warn(
        { event: 'replay_job.matched_left', jobId, err: error },
        'what a cancelled replay job matched could not be removed',
      );
    }
  };
}
