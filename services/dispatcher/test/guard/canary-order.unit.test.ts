import { expect } from 'chai';
import { createCanaryOrder } from '../../src/guard/canary-order.js';
import { CANARIES } from '../../src/guard/guard-state.js';

const IN_A_ROW = 2 * CANARIES;
const origin = (name: string, workspaceId: string, isRecent = true) => ({
  origin: name,
  domain: name.split('.').at(-1)!,
  workspaceId,
  isRecent,
});
const take = (order: () => string | null, count: number) => Array.from({ length: count }, () => order());
const [A, B, C] = [origin('x.a', 'ws1'), origin('b', 'ws1'), origin('c', 'ws2')];

describe('canary order', () => {
  it('is null without origins', () => {
    expect(take(createCanaryOrder([]), 2)).to.deep.equal([null, null]);
  });

  it('follows recent workspaces in turn, then recent domains from the other end, then older ones', () => {
    const order = createCanaryOrder([A, origin('old', 'ws1', false), B, C]);
    expect(take(order, 4)).to.deep.equal(['x.a', 'c', 'b', 'c']);
    take(order, IN_A_ROW - 4);
    expect(new Set(take(order, 3))).to.deep.equal(new Set(['x.a', 'b', 'c']));
    take(order, IN_A_ROW - 3);
    expect(take(order, IN_A_ROW)).to.deep.equal(Array.from({ length: IN_A_ROW }, () => 'old'));
    expect(order()).to.not.equal('old');
  });

  it('follows recent domains alone if no origin is older', () => {
    expect(take(createCanaryOrder([A, B, C]), 4 * IN_A_ROW)).to.not.include(null);
  });

  it('follows older domains alone if no origin is recent', () => {
    const order = createCanaryOrder(['a', 'b'].map((name) => origin(name, 'ws1', false)));
    const tried = take(order, 3 * IN_A_ROW);
    expect(tried.slice(0, 4)).to.deep.equal(['a', 'b', 'a', 'b']);
    expect(tried).to.not.include(null);
  });

  it('gives a domain with many origins one turn of its own, for each of them in turn', () => {
    const order = createCanaryOrder([A, origin('y.a', 'ws1'), B]);
    expect(take(order, 4)).to.deep.equal(['x.a', 'b', 'y.a', 'b']);
  });
});
