import { MongoError, MongoErrorLabel, MongoServerError } from 'mongodb';

/** Server errors of a primary that steps down or shuts down: the next primary can run the command. */
const PASSING_CODES: ReadonlySet<unknown> = new Set([91, 189, 10_107, 11_600, 11_602, 13_435, 13_436]);
const AWAY: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoOperationTimeoutError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
]);

/** Returns whether an error means that the database is unavailable, not that the request was invalid. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof MongoError)) return false;
  if (error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult)) return true;
  // A bulk write that ends without an answer has another class than the error that ended it.
  if (error instanceof MongoServerError && error.errorResponse instanceof MongoError)
    return isDatabaseAway(error.errorResponse);
  return error instanceof MongoServerError ? PASSING_CODES.has(error.code) : AWAY.has(error.name);
}
