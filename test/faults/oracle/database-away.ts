import { MongoError } from 'mongodb';

/** What the driver says when it reaches no server, or loses it. */
const UNREACHABLE: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
]);
/** What a server says that steps down, shuts down or has just begun: it has no history yet, or nobody to ask. */
const PASSING: ReadonlySet<unknown> = new Set([
  'ShutdownInProgress',
  'InterruptedAtShutdown',
  'InterruptedDueToReplStateChange',
  'NotWritablePrimary',
  'NotPrimaryNoSecondaryOk',
  'NotPrimaryOrSecondary',
  'PrimarySteppedDown',
  'NotYetInitialized',
  'ReadConcernMajorityNotAvailableYet',
  'SnapshotUnavailable',
  'SnapshotTooOld',
  'CursorNotFound',
]);

/** Does the error say that the database is away? Any other is a mistake of the oracle's own. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  return UNREACHABLE.has(error.name) || ('codeName' in error && PASSING.has(error.codeName));
}
