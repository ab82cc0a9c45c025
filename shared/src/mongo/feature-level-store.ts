import type { Document } from 'mongodb';
import { FIRST_LEVEL, LASTING_SERVICES } from '../domain/feature-level.js';
import { levelOfAppName } from './app-name.js';
import type { Database } from './connect.js';

interface LevelDocument {
  readonly _id: 'feature_level';
  readonly level: number;
}

/** The progress towards a level. All dates are of the database's clock. */
interface RiseDocument {
  readonly _id: string;
  /** When a process of an older version was seen last. */
  readonly olderSeenAt?: Date;
  /** Since when processes of each service have been looking for older ones, and when one looked last. */
  readonly watches: Readonly<Record<string, { readonly since: Date; readonly at: Date }>>;
  /** Whether the level may rise. */
  readonly clear: boolean;
}

/** A process that looks for older ones. */
export interface Watch {
  readonly services: readonly string[];
  /** The level to rise to: the newest that the process understands. */
  readonly level: number;
  /** For how long no older process must have been seen, in milliseconds. */
  readonly quietMs: number;
}

export interface FeatureLevelStore {
  read(): Promise<number>;
  /** The names of the connections of processes with a lower level. */
  olderProcesses(level: number): Promise<readonly string[]>;
  /** Records what a process saw, and raises the level if all conditions are met. @returns the level */
  watch(watch: Watch, isOlderSeen: boolean): Promise<number>;
  /** Sets the level of an installation that has none yet. */
  begin(level: number): Promise<void>;
}

/** A service whose processes have not looked for this long does not watch, in milliseconds. */
const LAPSED_MS = 30_000;

export function createFeatureLevelStore({ client, db }: Pick<Database, 'client' | 'db'>): FeatureLevelStore {
  const levels = db.collection<LevelDocument>('meta');
  const rises = db.collection<RiseDocument>('meta');
  const read = async () => (await levels.findOne({ _id: 'feature_level' }))?.level ?? FIRST_LEVEL;
  return {
    read,
    /**
     * Shows the connections of the same database user only, which needs no privilege. With a user for each service a
     * process sees those of its own service; that is why each service has to watch. `localOps` also makes it work at a
     * router of a sharded cluster.
     */
    async olderProcesses(level) {
      const connections = await client
        .db('admin')
        .aggregate<{ _id: string }>([
          { $currentOp: { allUsers: false, idleConnections: true, localOps: true } },
          { $match: { appName: { $type: 'string' } } },
          { $group: { _id: '$appName' } },
        ])
        .toArray();
      return connections
        .map(({ _id }) => _id)
        .filter((appName) => (levelOfAppName(appName) ?? level) < level)
        .toSorted();
    },
    async watch(watch, isOlderSeen) {
      const rise = await rises.findOneAndUpdate(
        { _id: `rise_to_level_${watch.level}` },
        riseUpdate(watch, isOlderSeen),
        { upsert: true, returnDocument: 'after' },
      );
      if (rise?.clear)
        await levels.updateOne({ _id: 'feature_level' }, { $max: { level: watch.level } }, { upsert: true });
      return read();
    },
    async begin(level) {
      await levels.updateOne({ _id: 'feature_level' }, { $setOnInsert: { level } }, { upsert: true });
    },
  };
}

/** One atomic update by the database's clock. */
function riseUpdate({ services, quietMs }: Watch, isOlderSeen: boolean): Document[] {
  const ago = (ms: number) => ({ $subtract: ['$$NOW', ms] });
  const isWatched = (name: string) => ({ $gt: [`$watches.${name}.at`, ago(LAPSED_MS)] });
  const looked = services.map((name) => {
    const since = { $cond: [isWatched(name), `$watches.${name}.since`, '$$NOW'] };
    return [`watches.${name}`, { since, at: '$$NOW' }] as const;
  });
  const isQuiet = { $lte: [{ $ifNull: ['$olderSeenAt', new Date(0)] }, ago(quietMs)] };
  const areWatched = LASTING_SERVICES.flatMap((name) => [
    isWatched(name),
    { $lte: [`$watches.${name}.since`, ago(quietMs)] },
  ]);
  return [
    { $set: { ...Object.fromEntries(looked), ...(isOlderSeen && { olderSeenAt: '$$NOW' }) } },
    { $set: { clear: { $and: [isQuiet, ...areWatched] } } },
  ];
}
