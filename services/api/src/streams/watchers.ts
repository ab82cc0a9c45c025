import type { PartitionRecord, Positions } from '@postrider/shared/kafka/partition-reader';
import { furthest, isPast } from './positions.js';
import type { RecordReader } from './read-record.js';
import { type ShownRecord, showRecord } from './shown-record.js';

/** Gets the records of one workspace. */
export interface Subscriber {
  readonly workspaceId: string;
  take(shown: ShownRecord): void;
  /** Records may have been missed. */
  reset(): void;
}

/** A subscriber, and the positions before which it has everything. */
export interface Watcher {
  readonly subscriber: Subscriber;
  /** Null when it takes all records. */
  from: Positions | null;
}

/** Subscribers by workspace. */
export interface Watchers {
  add(watcher: Watcher): void;
  remove(subscriber: Subscriber): void;
  /** Gives records to the subscribers of their workspaces. @param before the positions before the first of them */
  give(records: readonly PartitionRecord[], before: Positions): void;
  /** All subscribers may have missed records. */
  reset(): void;
}

/** Makes the id of a position in the streams of a workspace. */
export type IdOf = (workspaceId: string, positions: Positions) => string;

/** Records of workspaces without a subscriber are not decoded. */
export function createWatchers({ workspaceOf, read }: RecordReader, idOf: IdOf): Watchers {
  const byWorkspace = new Map<string, Map<Subscriber, Watcher>>();
  return {
    add(watcher) {
      const { workspaceId } = watcher.subscriber;
      const others = byWorkspace.get(workspaceId) ?? new Map<Subscriber, Watcher>();
      byWorkspace.set(workspaceId, others.set(watcher.subscriber, watcher));
    },
    remove(subscriber) {
      const others = byWorkspace.get(subscriber.workspaceId);
      others?.delete(subscriber);
      if (others?.size === 0) byWorkspace.delete(subscriber.workspaceId);
    },
    give(records, before) {
      const positions = new Map(before);
      for (const record of records) {
        positions.set(record.partition, record.offset + 1);
        const workspaceId = workspaceOf(record) ?? '';
        const watching = byWorkspace.get(workspaceId);
        const found = watching === undefined ? null : read(record);
        if (watching === undefined || found === null) continue;
        const together = showRecord(found, () => idOf(workspaceId, positions));
        for (const watcher of watching.values()) {
          if (record.offset < (watcher.from?.get(record.partition) ?? 0)) continue;
          if (watcher.from !== null && isPast(positions, watcher.from)) watcher.from = null;
          const { subscriber, from } = watcher;
          const alone = (own: Positions) =>
            showRecord(found, () => idOf(workspaceId, furthest(positions, own)));
          subscriber.take(from === null ? together : alone(from));
        }
      }
    },
    reset() {
      for (const watching of byWorkspace.values()) {
        for (const watcher of watching.values()) {
          watcher.from = null;
          watcher.subscriber.reset();
        }
      }
    },
  };
}
