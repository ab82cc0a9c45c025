import { expect } from 'chai';
import { createWithheld } from '../../src/guard/withheld.js';

/** Withheld failures that note what is done with them. */
function someWithheld() {
  const withheld = createWithheld({ maxWithheld: 10, withheldPerEndpoint: 2, trialEveryMs: 1_000 });
  const done: string[] = [];
  const keep = (endpointId: string, name: string, now = 0) => {
    const actions = {
      record: () => done.push(`${name} recorded`),
      discard: () => done.push(`${name} discarded`),
    };
    return withheld.keep(endpointId, actions, now);
  };
  return { withheld, done, keep };
}

describe('withheld failures', () => {
  it('are recorded once they are older than a time, and the endpoint keeps its other ones and its limit', () => {
    const { withheld, done, keep } = someWithheld();
    keep('a', 'first', 10);
    keep('a', 'second', 20);
    withheld.recordBefore(10);
    expect(done).to.deep.equal([]);
    withheld.recordBefore(20);
    expect(done).to.deep.equal(['first recorded']);
    expect([keep('a', 'third'), keep('a', 'fourth')]).to.deep.equal([true, false]);
    for (const actions of withheld.takeOf('a')) actions.record();
    expect(done).to.deep.equal(['first recorded', 'second recorded', 'third recorded']);
  });

  it('make only an endpoint wait that has as many as it may', () => {
    const { withheld, keep } = someWithheld();
    keep('a', 'first');
    expect(withheld.waitMs('a', 0)).to.equal(0);
    keep('a', 'second');
    expect([withheld.waitMs('a', 0), withheld.waitMs('b', 0)]).to.deep.equal([1_000, 0]);
  });

  it('leave room again when they are discarded', () => {
    const { withheld, done, keep } = someWithheld();
    for (const name of ['first', 'second']) keep('a', name);
    expect(withheld.discardAll()).to.equal(2);
    expect(done).to.deep.equal(['first discarded', 'second discarded']);
    expect([withheld.size(), withheld.waitMs('a', 0)]).to.deep.equal([0, 0]);
    expect([keep('a', 'third'), keep('a', 'fourth')]).to.deep.equal([true, true]);
  });
});
