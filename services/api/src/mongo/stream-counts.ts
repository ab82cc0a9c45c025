import type { Collections } from '@postrider/shared/mongo/collections';
import type { Log } from '@postrider/shared/ports/log';
import { coalesce } from '@postrider/shared/runtime/coalesce';
import type { StreamCounts } from '../ports/stream-counts.js';

/** How long the streams of a killed process count, in milliseconds: three renewal intervals. */
const EXPIRES_MS = 9_000;

interface StreamCountsParts {
  readonly collections: Pick<Collections, 'openStreams'>;
  readonly processId: string;
  readonly log: Log;
}

/**
 * Each process keeps its counts in one document, which only it writes, and reads the others' documents after writing its own.
 * So of two processes that open a stream at the same time, at least one finds the other's.
 */
export function createStreamCounts({
  collections: { openStreams },
  processId,
  log,
}: StreamCountsParts): StreamCounts {
  const own = new Map<string, number>();
  let isClosed = false;

  const publish = async () => {
    const streams = { $literal: Object.fromEntries(own) };
    const expiresAt = { $add: ['$$NOW', EXPIRES_MS] };
    await openStreams.updateOne(
      { _id: processId },
      [{ $replaceWith: { _id: processId, streams, expiresAt } }],
      { upsert: true },
    );
  };
  /** The numbers of streams of other processes, by credential. */
  const readOthers = async (credentialIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const totals = new Map<string, number>();
    if (credentialIds.length === 0) return totals;
    const filter = { _id: { $ne: processId }, $expr: { $gt: ['$expiresAt', '$$NOW'] } };
    const projection = Object.fromEntries(credentialIds.map((id) => [`streams.${id}`, 1]));
    for await (const { streams } of openStreams.find(filter, { projection }))
      for (const [id, count] of Object.entries(streams)) totals.set(id, (totals.get(id) ?? 0) + count);
    return totals;
  };
  /** Concurrent changes share a round; null asks for nothing. */
  const exchange = coalesce(async (asking: readonly (string | null)[]) => {
    if (isClosed) return new Map<string, number>();
    await publish();
    return readOthers([...new Set(asking.filter((id) => id !== null))]);
  });
  const share = () => {
    exchange(null).catch((err: unknown) =>
      log.debug({ event: 'streams.unshared', err }, 'the streams of this process could not be counted'),
    );
  };

  return {
    async add(credentialId) {
      const count = (own.get(credentialId) ?? 0) + 1;
      own.set(credentialId, count);
      const others = await exchange(credentialId).catch(() => new Map<string, number>());
      return count + (others.get(credentialId) ?? 0);
    },
    remove(credentialId) {
      const count = (own.get(credentialId) ?? 0) - 1;
      if (count > 0) own.set(credentialId, count);
      else own.delete(credentialId);
      share();
    },
    renew: share,
    async close() {
      isClosed = true;
      // If this fails, the document expires.
      await openStreams.deleteOne({ _id: processId }).catch(() => {});
    },
  };
}
