import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { withMigrationLease } from '../../src/mongo/migration-lease.js';

/** A database with the lease alone, which answers renewals only when the test lets it. */
function databaseWithLease() {
  const answer = Promise.withResolvers<void>();
  const state = { holder: null as string | null, renewals: 0, answerRenewals: answer.resolve };
  const meta = {
    async findOneAndUpdate(_filter: object, [{ $set }]: [{ $set: { holder: { $cond: [object, string] } } }]) {
      const [, holder] = $set.holder.$cond;
      if (state.holder !== null) {
        state.renewals += 1;
        await answer.promise;
      }
      state.holder = holder;
      return { holder };
    },
    async deleteOne() {
      state.holder = null;
    },
  };
  return { state, database: { db: { collection: () => meta } } as never };
}

describe('migration lease', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
  afterEach(() => mock.timers.reset());

  // Regression: the renewal took the lease again, and the next migration waited for half a minute.
  it('is free after its release, although a renewal was in progress', async () => {
    const { state, database } = databaseWithLease();
    const migrated = withMigrationLease(
      database,
      (_what, attempt) => attempt(),
      async () => mock.timers.tick(10_000),
    );
    while (state.renewals === 0) await turn();
    state.answerRenewals();
    await migrated;
    await turn();
    expect(state).to.include({ holder: null, renewals: 1 });
  });
});
