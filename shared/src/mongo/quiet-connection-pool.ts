import { type ClientInternals, loadInternals, prototypeOf } from '../runtime/client-internals.js';

const CONNECTION_POOL: ClientInternals = {
  module: 'mongodb/lib/cmap/connection_pool.js',
  name: 'ConnectionPool',
  methods: { ensureMinPoolSize: ['options', 'minPoolSizeTimer'] },
};

/** The fields of the driver's connection pool that its timer needs. */
interface ConnectionPool {
  readonly options: { readonly minPoolSize: number; readonly maxIdleTimeMS: number };
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  ensureMinPoolSize(): void;
}

/**
 * Ends the timer of the driver's connection pools unless it is needed. Ten times a second it closes idle connections and
 * opens missing ones, which wakes an idle process even if neither `minPoolSize` nor `maxIdleTimeMS` is set.
 *
 * @throws UnknownInternals if the class is not as expected
 */
export function patchConnectionPool(connectionPool: unknown): void {
  const prototype = prototypeOf<ConnectionPool>(CONNECTION_POOL, connectionPool);
  const { ensureMinPoolSize } = prototype;
  prototype.ensureMinPoolSize = function ensure(this: ConnectionPool): void {
    ensureMinPoolSize.call(this);
    const { minPoolSize, maxIdleTimeMS } = this.options;
    if (minPoolSize > 0 || maxIdleTimeMS > 0) return;
    clearTimeout(this.minPoolSizeTimer);
  };
}

patchConnectionPool(loadInternals(CONNECTION_POOL));
