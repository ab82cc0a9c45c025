import { expect } from 'chai';
import { atLoad, type Plan } from './plan.js';

describe('plan of a load', () => {
  it('has its rates multiplied, and nothing else', () => {
    const stream = { perSecond: 500, workspaces: [1] };
    expect(atLoad({ kind: 'at-rate', streams: [stream], seconds: 60 }, 0.5)).to.deep.equal({
      kind: 'at-rate',
      streams: [{ perSecond: 250, workspaces: [1] }],
      seconds: 60,
    });
    const flatOut: Plan = { kind: 'flat-out', events: 100 };
    expect(atLoad(flatOut, 0.5)).to.equal(flatOut);
  });
});
