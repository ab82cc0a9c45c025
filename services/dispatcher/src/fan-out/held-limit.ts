import type { Delivery } from '@postrider/shared/domain/delivery';
import type { Holding } from '@postrider/shared/domain/endpoint';
import type { EndpointId } from '@postrider/shared/domain/id';
import type { FanOutStore, HeldCount } from '@postrider/shared/ports/fan-out';
import type { Log } from '@postrider/shared/ports/log';
import type { PlannedHeld } from './plan-delivery.js';

/**
 * Limits how many deliveries are held for an endpoint in one disabled period, and counts them. The counts are stored a second
 * later, because an update for each delivery would cost as much as the delivery: a crash loses the counts of its last second.
 */
export interface HeldLimit {
  /** Returns the deliveries that may be stored. */
  admit(held: readonly PlannedHeld[]): readonly PlannedHeld[];
  /** Counts those admitted deliveries whose rows are new as held, and others as missed. */
  count(counted: {
    readonly admitted: readonly PlannedHeld[];
    readonly inserted: readonly Delivery[];
    readonly missed: readonly PlannedHeld[];
  }): void;
  /** Stores the counts. */
  flush(): Promise<void>;
}

interface HeldLimitParts {
  readonly store: Pick<FanOutStore, 'countHeld'>;
  readonly perEndpoint: number;
  readonly log: Log;
}

interface Count {
  readonly endpointId: EndpointId;
  readonly since: Date;
  /** Held rows of the period, as far as this process knows: others may have counted while they owned the partition. */
  rows: number;
  /** Not stored yet. */
  newRows: number;
  newMissed: number;
}

const FLUSH_MS = 1_000;
const KEPT_COUNTS = 50_000;

export function createHeldLimit({ store, perEndpoint, log }: HeldLimitParts): HeldLimit {
  const counts = new Map<string, Count>();
  const changed = new Set<Count>();
  let timer: NodeJS.Timeout | null = null;
  const countOf = ({ row, holding }: PlannedHeld): Count => {
    const since = row.heldSince ?? row.createdAt;
    const key = `${row.endpointId} ${since.getTime()}`;
    const rows = isOf(holding, since) ? holding.rows : 0;
    const existing = counts.get(key);
    if (existing !== undefined) {
      existing.rows = Math.max(existing.rows, rows + existing.newRows);
      return existing;
    }
    const created = { endpointId: row.endpointId, since, rows, newRows: 0, newMissed: 0 };
    counts.set(key, created);
    return created;
  };
  const forgetOldest = () => {
    for (const key of counts.keys()) {
      if (counts.size <= KEPT_COUNTS) return;
      counts.delete(key);
    }
  };
  const flush = async () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const flushed: HeldCount[] = [...changed].map(({ endpointId, since, newRows, newMissed }) => {
      return { endpointId, since, rows: newRows, missed: newMissed };
    });
    for (const count of changed) Object.assign(count, { newRows: 0, newMissed: 0 });
    changed.clear();
    forgetOldest();
    if (flushed.length === 0) return;
    await store
      .countHeld(flushed)
      .catch((err: unknown) =>
        log.warn(
          { event: 'fan_out.held_count', err },
          'the number of held deliveries was not stored: an endpoint may keep more than its limit',
        ),
      );
  };
  const change = (count: Count, field: 'newRows' | 'newMissed') => {
    count[field] += 1;
    changed.add(count);
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  };

  return {
    admit(held) {
      const added = new Map<Count, number>();
      return held.filter((one) => {
        const count = countOf(one);
        const before = added.get(count) ?? 0;
        if (count.rows + before >= perEndpoint) return false;
        added.set(count, before + 1);
        return true;
      });
    },
    count({ admitted, inserted, missed }) {
      if (admitted.length + missed.length === 0) return;
      const insertedIds = new Set(inserted.map(({ id }) => id));
      for (const one of admitted) {
        if (!insertedIds.has(one.row.id)) continue;
        const count = countOf(one);
        count.rows += 1;
        change(count, 'newRows');
      }
      for (const one of missed) change(countOf(one), 'newMissed');
    },
    flush,
  };
}

function isOf(holding: Holding | undefined, since: Date): holding is Holding {
  // A time that is damaged in the database is none of a period, and is replaced with the next count.
  return Number(holding?.since) === since.getTime();
}
