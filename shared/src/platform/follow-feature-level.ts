import { FEATURES, NEWEST_LEVEL, NO_OLDER_PROCESS_FOR_MS } from '../domain/feature-level.js';
import type { FeatureLevelStore } from '../mongo/feature-level-store.js';
import type { FeatureLevel } from '../ports/feature-level.js';
import type { Log } from '../ports/log.js';
import { repeat } from '../runtime/repeat.js';

export interface FollowedFeatureLevel extends FeatureLevel {
  stop(): void;
}

interface FollowParts {
  readonly store: Omit<FeatureLevelStore, 'begin'>;
  /** The services that this process runs. */
  readonly services: readonly string[];
  readonly log: Log;
  /** How often it looks, in milliseconds. */
  readonly everyMs?: number;
  readonly quietMs?: number;
}

const EVERY_MS = 5_000;

/**
 * Reads the feature level, and follows it until it is the newest that this version understands: from then on it costs
 * nothing. Until then every process looks for processes of an older version, and any of them raises the level.
 */
export async function followFeatureLevel({
  store,
  services,
  log,
  everyMs = EVERY_MS,
  quietMs = NO_OLDER_PROCESS_FOR_MS,
}: FollowParts): Promise<FollowedFeatureLevel> {
  let level = await store.read();
  const logChange = logChanges(log);
  const look = async () => {
    const older = await store.olderProcesses(NEWEST_LEVEL);
    logChange(older);
    const found = await store.watch({ services, level: NEWEST_LEVEL, quietMs }, older.length > 0);
    if (found > level) {
      level = found;
      log.info(
        { event: 'feature_level.raised', level },
        'every process runs the new version: new features are on',
      );
    }
  };
  const looking = repeat({
    task: look,
    pauseMs: () => (level < NEWEST_LEVEL ? everyMs : null),
    onError: (err) =>
      log.warn({ event: 'feature_level.unknown', err }, 'could not check for older processes'),
  });
  return {
    current: () => level,
    allows: (feature) => FEATURES[feature].level <= level,
    stop: () => void looking.stop(),
  };
}

/** Logs which older processes keep the level down, whenever that changes. */
function logChanges(log: Log) {
  let last = '';
  return (older: readonly string[]) => {
    const names = older.join(', ');
    if (names !== last && names !== '')
      log.info(
        { event: 'feature_level.waiting', older },
        'new features wait until these older processes are gone',
      );
    last = names;
  };
}
