import { expect } from 'chai';
import { readiness } from '../src/readiness.js';

const AWAY = new Error('no primary');

describe('what the api lacks', () => {
  /** The readiness of an api whose database answers as told. */
  function asked() {
    const database = { answer: async (): Promise<void> => {}, looks: 0 };
    const paused = Promise.withResolvers<void>();
    const ask = readiness({
      checkSchema: () => {
        database.looks += 1;
        return database.answer();
      },
      isDatabaseAway: (error) => error === AWAY,
      pause: () => paused.promise,
    });
    return { database, ask, paused };
  }
  const away = async () => {
    throw AWAY;
  };

  it('is the database until it was there for the first time', async () => {
    const { database, ask } = asked();
    database.answer = away;
    expect(await ask()).to.deep.equal(['the database cannot be reached']);
    database.answer = async () => {};
    expect(await ask()).to.deep.equal([]);
  });

  // All processes left the service at once, and callers got a proxy's error in place of the promised problem.
  it('is nothing while a database that was there is away: callers are to hear so from the api', async () => {
    const { database, ask } = asked();
    await ask();
    database.answer = away;
    expect(await ask()).to.deep.equal([]);
  });

  it('is a schema that is too old, at any time', async () => {
    const { database, ask } = asked();
    await ask();
    database.answer = async () => {
      throw new Error('run "admin migrate"');
    };
    expect(await ask()).to.deep.equal(['run "admin migrate"']);
  });

  it('is known soon, with one look, when the database stays silent', async () => {
    const { database, ask, paused } = asked();
    await ask();
    database.answer = () => new Promise(() => {});
    const answers = Promise.all([ask(), ask()]);
    paused.resolve();
    expect(await answers).to.deep.equal([[], []]);
    expect(database.looks).to.equal(2);
  });
});
