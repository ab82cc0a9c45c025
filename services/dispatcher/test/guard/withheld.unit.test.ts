import { expect } from 'chai';
import { createWithheld } from '../../src/guard/withheld.js';

/** Withheld failures that note what is done with them. */
function someWithheld(maxWithheld = 10) {
  const withheld = createWithheld({ maxWithheld, withheldPerEndpoint: 2, trialEveryMs: 1_000 });
  const done: string[] = [];
  const keep = (endpointId: string, name: string, now = 0, workspaceId = 'w') => {
    const actions = {
      record: () => done.push(`${name} recorded`),
      discard: () => done.push(`${name} discarded`),
    };
    return withheld.keep({ workspaceId, endpointId }, actions, now);
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

  // Regression: a workspace with many unreachable endpoints took all the room, and failures of others were tried again and again.
  it('leave room to other workspaces', () => {
    const { withheld, keep } = someWithheld(20);
    /** The number that is kept of one failure of each endpoint. */
    const keepAll = (workspaceId: string, endpoints: number) =>
      Array.from({ length: endpoints }, (_, n) => `${workspaceId}${n}`).filter((endpoint) =>
        keep(endpoint, endpoint, 0, workspaceId),
      ).length;
    expect(keepAll('large', 30)).to.equal(20);
    expect(keepAll('another', 30), 'few of another').to.equal(16);
    expect(keepAll('third', 30), 'twice as many in all').to.equal(4);
    withheld.takeOf('another0');
    expect([keepAll('large', 1), keepAll('third', 1)]).to.deep.equal([0, 1]);
  });

  // Regression: all queued deliveries of such an endpoint were tried every second.
  it('make an endpoint wait for whose failure there was no room, until there is room or it is reached', () => {
    const { withheld, keep } = someWithheld();
    for (const endpoint of 'abcdehijklmnopqrstuv') keep(endpoint, endpoint);
    for (const endpoint of 'fg') expect(keep(endpoint, endpoint), endpoint).to.equal(false);
    expect([withheld.waitMs('f', 0), withheld.waitMs('f', 999)]).to.deep.equal([1_000, 1]);
    expect([withheld.waitMs('f', 1_000), withheld.waitMs('f', 1_000)]).to.deep.equal([0, 1_000]);
    withheld.reached('f');
    expect([withheld.waitMs('f', 1_000), withheld.waitMs('g', 0)]).to.deep.equal([0, 1_000]);
    withheld.takeOf('a');
    expect(withheld.waitMs('g', 0)).to.equal(0);
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
