import type { PartitionRecord, Positions } from '@postrider/shared/kafka/partition-reader';
import type { StreamRecord } from '../domain/stream-query.js';
import { furthest } from './positions.js';
import type { RecordReader } from './read-record.js';

/** Gets the records of one workspace. */
export interface Subscriber {
  readonly workspaceId: string;
  /** @param positions those behind the record; only valid during the call */
  take(record: StreamRecord, positions: () => Positions): void;
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

/** Records of workspaces without a subscriber are not decoded. */
export function createWatchers({ workspaceOf, read }: RecordReader): Watchers {
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
        const watching = byWorkspace.get(workspaceOf(record) ?? '');
        const shown = watching === undefined ? null : read(record);
        if (watching === undefined || shown === null) continue;
        for (const { subscriber, from } of watching.values()) {
          if (record.offset < (from?.get(record.partition) ?? 0)) continue;
          subscriber.take(shown, () => (from === null ? positions : furthest(positions, from)));
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
