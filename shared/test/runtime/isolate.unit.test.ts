import { expect } from 'chai';
import { isolate } from '../../src/runtime/isolate.js';

const AWAY = new Error('no server');

describe('isolate', () => {
  /** @param failing returns the error of the n-th call, from 1, for an item */
  async function isolateAll(things: string, failing: (thing: string, call: number) => Error | null) {
    const calls: string[] = [];
    const attempt = async (thing: string) => {
      const error = failing(thing, calls.push(thing));
      if (error !== null) throw error;
      return thing.toUpperCase();
    };
    const { done, poisoned, failure } = await isolate([...things], attempt, (error) => error === AWAY);
    return {
      calls: calls.join(''),
      done: [...done.values()].join(''),
      poisoned: [...poisoned.keys()].join(''),
      failure: failure?.error ?? null,
    };
  }
  const refused = (thing: string) => new Error(`${thing} refused`);

  it('returns an empty result for no items', async () => {
    const nothing = { calls: '', done: '', poisoned: '', failure: null };
    expect(await isolateAll('', () => AWAY)).to.deep.equal(nothing);
  });

  it('returns the result of each item', async () => {
    const all = await isolateAll('abc', () => null);
    expect(all).to.deep.equal({ calls: 'abc', done: 'ABC', poisoned: '', failure: null });
  });

  it('poisons items that are rejected twice while others succeed', async () => {
    const some = await isolateAll('abcd', (thing) => ('bd'.includes(thing) ? refused(thing) : null));
    expect(some).to.deep.equal({ calls: 'abcdbd', done: 'AC', poisoned: 'bd', failure: null });
  });

  it('poisons no item that succeeds at the second attempt', async () => {
    const all = await isolateAll('abc', (thing, call) => (call <= 2 ? refused(thing) : null));
    expect(all).to.deep.equal({ calls: 'abcab', done: 'CAB', poisoned: '', failure: null });
  });

  it('poisons no item if all fail, and returns the error', async () => {
    const none = await isolateAll('ab', refused);
    expect(none).to.deep.include({ calls: 'ab', done: '', poisoned: '' });
    expect(none.failure).to.be.an('error').with.property('message', 'a refused');
  });

  for (const [when, call, calls, done] of [
    ['in the first round', 3, 'abc', 'A'],
    ['in the second', 5, 'abcdb', 'ACD'],
  ] as const) {
    it(`poisons no item when an outage begins ${when}, and stops`, async () => {
      const failing = (thing: string, number: number) => {
        if (number >= call) return AWAY;
        return thing === 'b' ? refused(thing) : null;
      };
      const some = await isolateAll('abcd', failing);
      expect(some).to.deep.equal({ calls, done, poisoned: '', failure: AWAY });
    });
  }
});
