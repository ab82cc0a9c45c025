import { expect } from 'chai';
import { patchConnectionPool } from '../../src/mongo/quiet-connection-pool.js';
import { UnknownInternals } from '../../src/runtime/client-internals.js';
import { sleep } from '../../src/runtime/sleep.js';

/** A pool with the driver's timer: every run sets it again. */
function poolClass() {
  return class {
    runs = 0;
    minPoolSizeTimer: NodeJS.Timeout | undefined;
    constructor(readonly options: { minPoolSize: number; maxIdleTimeMS: number }) {}
    ensureMinPoolSize() {
      if (this.options.minPoolSize >= 0) this.runs += 1;
      this.minPoolSizeTimer = setTimeout(() => this.ensureMinPoolSize(), 1);
    }
  };
}

describe('patched connection pool of the database driver', () => {
  const runsOf = async (options: { minPoolSize: number; maxIdleTimeMS: number }) => {
    const Pool = poolClass();
    patchConnectionPool(Pool);
    const pool = new Pool(options);
    pool.ensureMinPoolSize();
    await sleep(20);
    clearTimeout(pool.minPoolSizeTimer);
    return pool.runs;
  };

  it('runs once when the pool becomes ready, and sets no timer', async () => {
    expect(await runsOf({ minPoolSize: 0, maxIdleTimeMS: 0 })).to.equal(1);
  });

  it('keeps the timer of a pool with a minimum size or with an idle time-out', async () => {
    expect(await runsOf({ minPoolSize: 1, maxIdleTimeMS: 0 })).to.be.above(1);
    expect(await runsOf({ minPoolSize: 0, maxIdleTimeMS: 1_000 })).to.be.above(1);
  });

  it('rejects a class without the method', () => {
    expect(() => patchConnectionPool(class {})).to.throw(UnknownInternals, 'ensureMinPoolSize()');
  });
});
