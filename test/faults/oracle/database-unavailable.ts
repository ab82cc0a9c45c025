import { MongoError } from 'mongodb';

const UNREACHABLE =
  /^(Mongo(ServerSelection|Network|NetworkTimeout|NotConnected|ServerClosed|TopologyClosed|PoolCleared)|PoolClearedOnNetwork)Error$/;
/** Errors of a server that steps down, shuts down or has just started: no primary, or no history yet. */
const TRANSIENT: ReadonlySet<unknown> = new Set([
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

/** Returns whether the error means that the database is unavailable. Any other error is a bug of the oracle. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  return UNREACHABLE.test(error.name) || ('codeName' in error && TRANSIENT.has(error.codeName));
}
