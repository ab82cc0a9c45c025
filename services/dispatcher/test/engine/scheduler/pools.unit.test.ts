import { expect } from 'chai';
import type { PoolLimits } from '../../../src/engine/scheduler/pool-limits.js';
import { createPools, SLOT_KINDS, type SlotKind, type Usage } from '../../../src/engine/scheduler/pools.js';

const LIMITS: PoolLimits = {
  perEndpoint: 4,
  prompt: 6,
  probation: 3,
  suspect: 2,
  perFree: 1,
  lingering: 10,
  perWorkspace: 2,
  perOrigin: 64,
  bytes: 1,
};

function somePools(overrides: Partial<PoolLimits> = {}) {
  const pools = createPools({ ...LIMITS, ...overrides });
  const usage = (): Usage => ({ prompt: 0, lingering: 0 });
  const take = (kind: SlotKind, count: number, by: Usage = usage()) => {
    for (let taken = 0; taken < count; taken += 1) pools.take(kind, by);
    return by;
  };
  const roomy = () => SLOT_KINDS.filter(pools.hasRoom);
  return { pools, take, usage, roomy };
}

describe('pools', () => {
  it('have room for prompt POSTs up to their limits', () => {
    const { pools, take, roomy } = somePools();
    take('suspect', 1);
    expect(roomy()).to.deep.equal(['proven', 'new', 'suspect', 'lingering']);
    take('suspect', 1);
    expect(roomy()).to.deep.equal(['proven', 'new', 'lingering']);
    const tried = take('new', 1);
    expect(roomy()).to.deep.equal(['proven', 'lingering']);
    pools.free('new', tried);
    expect(roomy()).to.deep.equal(['proven', 'new', 'lingering']);
    take('proven', 3);
    expect(roomy()).to.deep.equal(['proven', 'new', 'lingering']);
    take('proven', 1);
    expect(roomy()).to.deep.equal(['lingering']);
  });

  it('keep a quarter of the room for lingering POSTs for new endpoints', () => {
    const { pools, take, roomy } = somePools();
    const [last] = [1, 2, 3, 4].map((workspace) => take('lingering', workspace === 1 ? 1 : 2));
    expect(roomy()).to.deep.equal(['proven', 'new', 'suspect', 'lingering']);
    pools.take('lingering', last!);
    expect(roomy()).to.deep.equal(['proven', 'new']);
    take('new', 1);
    expect(roomy()).to.deep.equal(['proven', 'new']);
    take('new', 1);
    expect(roomy(), 'a new POST may linger as well').to.deep.equal(['proven']);
    pools.free('lingering', last!);
    expect(roomy()).to.deep.equal(['proven', 'new', 'lingering']);
  });

  it('count no POSTs of a workspace above its share, whatever their order is', () => {
    const { pools, take, roomy } = somePools();
    const many = take('new', 3);
    for (let moved = 0; moved < 3; moved += 1) pools.linger('new', many);
    take('lingering', 2, many);
    for (let workspace = 0; workspace < 2; workspace += 1) take('lingering', 2);
    take('lingering', 1);
    expect([roomy().includes('lingering'), pools.figures()]).to.deep.equal([
      true,
      { prompt: 0, probation: 0, lingering: 10 },
    ]);
    for (let freed = 0; freed < 3; freed += 1) pools.free('lingering', many);
    const one = take('lingering', 1);
    expect(roomy()).to.not.include('lingering');
    pools.free('lingering', one);
    for (let freed = 0; freed < 2; freed += 1) pools.free('lingering', many);
    take('lingering', 2);
    expect(roomy()).to.include('lingering');
    take('lingering', 1);
    expect(roomy()).to.not.include('lingering');
  });

  it('start no POST to proven endpoints once twice as many linger as may', () => {
    const { pools, take } = somePools();
    const one = take('lingering', 19);
    expect(pools.hasRoom('proven')).to.equal(true);
    pools.take('lingering', one);
    expect(pools.hasRoom('proven')).to.equal(false);
    pools.free('lingering', one);
    expect(pools.hasRoom('proven')).to.equal(true);
  });

  it('admit a workspace up to its share, and its proven endpoints while the lingering pool is not full', () => {
    const { pools, take } = somePools({ perWorkspace: 4 });
    const admitted = (by: Usage) => SLOT_KINDS.filter((kind) => pools.admits(kind, by));
    const one = take('lingering', 2);
    expect(admitted(one)).to.deep.equal(['proven', 'new', 'suspect', 'lingering']);
    pools.take('lingering', one);
    expect(admitted(one)).to.deep.equal(['proven', 'new']);
    pools.take('lingering', one);
    expect(admitted(one)).to.deep.equal(['proven']);
    take('lingering', 6);
    expect([admitted(one), admitted({ prompt: 0, lingering: 3 })]).to.deep.equal([[], ['proven', 'new']]);
  });

  it('leave prompt slots to others, and are calm below half of the lingering ones', () => {
    const { pools, take } = somePools();
    const busy = take('proven', 3);
    expect([pools.leavesRoom('proven', busy), pools.leavesRoom('lingering', busy)]).to.deep.equal([
      false,
      true,
    ]);
    pools.free('proven', busy);
    expect([pools.leavesRoom('proven', busy), pools.leavesRoom('new', busy)]).to.deep.equal([true, true]);
    take('new', 1);
    expect([pools.leavesRoom('proven', busy), pools.leavesRoom('new', busy)]).to.deep.equal([true, false]);
    const slow = take('lingering', 4);
    expect(pools.isCalm()).to.equal(true);
    pools.take('lingering', slow);
    expect(pools.isCalm()).to.equal(false);
  });
});
