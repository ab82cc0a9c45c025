import type { ClientSession, MatchKeysAndValues } from 'mongodb';
import type { DeliveryId } from '../domain/id.js';
import { ENDED_JOB_KEPT_MS, isActiveJob, type ReplayJob } from '../domain/replay-job.js';
import type { Collections, ReplayJobDocument } from './collections.js';
import { fromDocument, toDocument } from './documents.js';
import { insertMissing } from './insert-missing.js';

/** A claim must outlive every transaction that began before it was written. */
const CLAIM_KEPT_MS = 60 * 60_000;
/** No lease yet: any process may take it at once. */
const NEVER_LEASED = new Date(0);

export function fromReplayJobDocument(document: ReplayJobDocument): ReplayJob {
  const { leaseHolder: _, leaseUntil: __, expiresAt: ___, ...job } = document;
  // Jobs of earlier versions have no source.
  return { ...fromDocument<ReplayJob>(job), source: job.source ?? null };
}

/** Stores a new job. The api process that finds it first runs it. */
export async function insertReplayJob(
  { replayJobs }: Pick<Collections, 'replayJobs'>,
  job: ReplayJob,
  session: ClientSession,
): Promise<void> {
  await replayJobs.insertOne({ ...toDocument(job), leaseUntil: NEVER_LEASED }, { session });
}

/** Overwrites all fields of a job. An ended job loses its lease and gets its expiry. */
export function updateOfReplayJob(job: ReplayJob) {
  const { _id, ...fields } = toDocument(job);
  const $set: MatchKeysAndValues<ReplayJobDocument> = fields;
  if (isActiveJob(job) || job.endedAt === null) return { $set };
  const expiresAt = new Date(job.endedAt.getTime() + ENDED_JOB_KEPT_MS);
  return { $set: { ...$set, expiresAt }, $unset: { leaseHolder: 1 as const, leaseUntil: 1 as const } };
}

/** The replay of a delivery. */
export interface ReplayOf {
  readonly sourceId: DeliveryId;
  readonly replayId: DeliveryId;
}

/**
 * Claims deliveries for their replays, unless they are claimed: a transaction that found no replay of a delivery and
 * replays it at the same time conflicts with this one, and is retried. A claim that exists already is not written again:
 * its replay exists, too.
 */
export async function claimSources(
  { replayClaims }: Pick<Collections, 'replayClaims'>,
  replays: readonly ReplayOf[],
  { now, session }: { readonly now: Date; readonly session: ClientSession },
): Promise<void> {
  const expiresAt = new Date(now.getTime() + CLAIM_KEPT_MS);
  const claims = replays.map(({ sourceId: _id, replayId }) => ({ _id, replayId, expiresAt }));
  await insertMissing(replayClaims, claims, session);
}
