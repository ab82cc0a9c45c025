import { expect } from 'chai';
import { createOrigins } from '../../../src/engine/scheduler/origins.js';

const HOST = 'https://host';
const LIMIT = 8;

/** A silent origin at its limit, at which many workspaces wait. */
function atTheLimit(workspaces: number) {
  const stale = new Set<string>();
  const origins = createOrigins<string>({ perOrigin: LIMIT }, (item) => !stale.has(item));
  for (let post = 0; post < LIMIT; post += 1) origins.count(HOST, 'busy', 'lingering', 1);
  for (let waiting = 0; waiting < workspaces; waiting += 1)
    origins.block(HOST, { workspaceId: `w${waiting}`, proven: false }, `w${waiting}`);
  const free = () => {
    origins.count(HOST, 'busy', 'lingering', -1);
    return origins.unblock(HOST, 0);
  };
  return { origins, stale, free };
}

describe('the POSTs at an origin', () => {
  it('linger there until the last of them ends, and not while one only is on probation', () => {
    const origins = createOrigins<string>({ perOrigin: LIMIT }, () => true);
    expect(origins.isLingering(HOST)).to.equal(false);
    origins.count(HOST, 'w', 'onProbation', 1);
    expect(origins.isLingering(HOST)).to.equal(false);
    origins.count(HOST, 'w', 'lingering', 1);
    origins.count(HOST, 'w', 'onProbation', -1);
    expect(origins.isLingering(HOST)).to.equal(true);
    origins.count(HOST, 'w', 'lingering', -1);
    expect(origins.isLingering(HOST)).to.equal(false);
  });
});

describe('the POSTs that wait for an origin', () => {
  it('are unblocked a few at a time, however many workspaces wait', () => {
    const { origins, free } = atTheLimit(5_000);
    expect(free()).to.have.length.within(1, 11);
    expect(origins.blocked()).to.be.at.least(5_000 - 11);
  });

  it('stay blocked without room', () => {
    const { origins } = atTheLimit(100);
    expect(origins.unblock(HOST, 0)).to.deep.equal([]);
    expect(origins.blocked()).to.equal(100);
  });

  it('take turns over all workspaces', () => {
    const { origins, free } = atTheLimit(100);
    const seen = new Set(free());
    while (seen.size < 100) {
      const unblocked = origins.unblock(HOST, 0);
      expect(unblocked.filter((item) => seen.has(item))).to.deep.equal([]);
      for (const item of unblocked) seen.add(item);
    }
    expect(origins.blocked()).to.equal(0);
  });

  it('are passed over once they no longer wait', () => {
    const { origins, stale, free } = atTheLimit(100);
    for (let gone = 0; gone < 99; gone += 1) stale.add(`w${gone}`);
    expect(free()).to.deep.equal(['w99']);
    expect(origins.blocked()).to.equal(0);
  });

  it('are passed over within one workspace, too, in the order in which they began to wait', () => {
    const { origins, stale, free } = atTheLimit(0);
    const block = (workspaceId: string, ...items: readonly string[]) => {
      for (const item of items) origins.block(HOST, { workspaceId, proven: false }, item);
    };
    block('one', 'gone 1', 'gone 2', 'one 1', 'one 2');
    block('other', 'other 1');
    for (const item of ['gone 1', 'gone 2']) stale.add(item);
    expect(free()).to.deep.equal(['other 1', 'one 1']);
    expect(origins.blocked()).to.equal(1);
  });

  it('of endpoints that answered wait only until the origin answers', () => {
    const { origins } = atTheLimit(1);
    for (const item of ['first', 'second']) origins.block(HOST, { workspaceId: 'w0', proven: true }, item);
    for (const item of ['third', 'fourth']) origins.block(HOST, { workspaceId: 'w1', proven: true }, item);
    expect(origins.answered(HOST, 5_000)).to.deep.equal(['first', 'second', 'third', 'fourth']);
    expect(origins.answered(HOST, 5_000), 'again').to.equal(null);
    expect(origins.blocked()).to.equal(1);
    const admits = (proven: boolean, now: number) => origins.admits(HOST, { workspaceId: 'w2', proven }, now);
    expect([admits(true, 6_000), admits(true, 6_001), admits(false, 6_000)]).to.deep.equal([
      true,
      false,
      false,
    ]);
  });

  it('of one workspace are unblocked as far as there is room for it', () => {
    const { origins, free } = atTheLimit(0);
    for (let item = 0; item < 10; item += 1)
      origins.block(HOST, { workspaceId: 'only', proven: false }, `item ${item}`);
    free();
    expect(free(), 'the second one').to.have.length(2);
  });
});
