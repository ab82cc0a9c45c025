import { expect } from 'chai';
import { createReadiness } from '../src/readiness.js';

const AWAY = new Error('no primary');

describe('readiness', () => {
  function createCheck() {
    const database = { check: async (): Promise<void> => {}, checks: 0 };
    const paused = Promise.withResolvers<void>();
    const check = createReadiness({
      checkSchema: () => {
        database.checks += 1;
        return database.check();
      },
      isDatabaseAway: (error) => error === AWAY,
      sleep: () => paused.promise,
    });
    return { database, check, paused };
  }
  const away = async () => {
    throw AWAY;
  };

  it('reports an unreachable database until the first successful check', async () => {
    const { database, check } = createCheck();
    database.check = away;
    expect(await check()).to.deep.equal(['the database cannot be reached']);
    database.check = async () => {};
    expect(await check()).to.deep.equal([]);
  });

  // Regression: all processes became unready together, and callers got a proxy's error instead of the documented problem.
  it('stays ready when the database becomes unreachable, so that callers get a problem from the api', async () => {
    const { database, check } = createCheck();
    await check();
    database.check = away;
    expect(await check()).to.deep.equal([]);
  });

  it('reports an outdated schema at any time', async () => {
    const { database, check } = createCheck();
    await check();
    database.check = async () => {
      throw new Error('run "admin migrate"');
    };
    expect(await check()).to.deep.equal(['run "admin migrate"']);
  });

  it('returns in time, with one check, when the database does not respond', async () => {
    const { database, check, paused } = createCheck();
    await check();
    database.check = () => new Promise(() => {});
    const results = Promise.all([check(), check()]);
    paused.resolve();
    expect(await results).to.deep.equal([[], []]);
    expect(database.checks).to.equal(2);
  });
});
