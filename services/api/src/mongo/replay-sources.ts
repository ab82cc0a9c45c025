import { asId, type DeliveryId, type ReplayJobId } from '@postrider/shared/domain/id';
import { handledBy, type ReplayJob } from '@postrider/shared/domain/replay-job';
import type { Collections, ReplaySourcesDocument } from '@postrider/shared/mongo/collections';
import type { ClientSession } from 'mongodb';

type Sources = Pick<Collections, 'replaySources'>;

/** Longer than any job runs. Sources are removed with the end of their job; this expiry is for those that a crash left. */
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

/** Appends matched deliveries to those of the job. */
export async function addSources(
  { replaySources }: Sources,
  { id, matched: first, createdAt }: ReplayJob,
  ids: readonly DeliveryId[],
  session: ClientSession,
): Promise<void> {
  const expiresAt = new Date(createdAt.getTime() + KEPT_MS);
  await replaySources.insertOne({ _id: sourcesId(id, first), first, ids, expiresAt }, { session });
}

/** The next matched deliveries that are not handled yet, at most `limit`. */
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

/** The matched deliveries that were handled last: those in the last two documents. */
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

/** The matched deliveries of a job. */
interface KnownSources {
  /** @returns those of the given deliveries that the job does not have, oldest first */
  without(ids: readonly DeliveryId[]): Promise<readonly DeliveryId[]>;
}

/** Reads the matched deliveries of a job. A document covers a range, and is read again only if it may have one in question. */
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

/** Removes the matched deliveries of an ended job. */
export async function forgetSources({ replaySources }: Sources, jobId: ReplayJobId): Promise<void> {
  await replaySources.deleteMany({ _id: sourcesOf(jobId) });
}
