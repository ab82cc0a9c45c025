import type { CleanupProgress, History } from '../ports/housekeeping.js';
import type { Database } from './connect.js';

interface ProgressDocument extends CleanupProgress {
  readonly _id: 'cleanup';
}

/** The database aborts the query for the oldest delivery if it takes longer, in milliseconds. */
const MAX_TIME_MS = 5_000;

export interface StoredCleanupProgress extends Pick<History, 'progress' | 'saveProgress'> {
  /**
   * When the oldest delivery was created that no cleanup has examined; null if there is none. This is one seek: deliveries that
   * were still due when a cleanup examined them are left out, however many they are.
   */
  oldestUnexamined(): Promise<Date | null>;
}

export function createCleanupProgress({
  db,
  collections: { deliveries },
}: Pick<Database, 'db' | 'collections'>): StoredCleanupProgress {
  const stored = db.collection<ProgressDocument>('meta');
  const progress = () => stored.findOne({ _id: 'cleanup' }, { projection: { _id: 0 } });
  return {
    progress,
    async saveProgress({ examinedTo, againTo }) {
      await stored.updateOne({ _id: 'cleanup' }, { $set: { examinedTo, againTo } }, { upsert: true });
    },
    async oldestUnexamined() {
      const { examinedTo = '' } = (await progress()) ?? {};
      const oldest = await deliveries.findOne(
        { _id: { $gte: examinedTo } },
        { sort: { _id: 1 }, projection: { createdAt: 1 }, maxTimeMS: MAX_TIME_MS },
      );
      return oldest?.createdAt ?? null;
    },
  };
}
