import { expect } from 'chai';
import { createUnstartedRows } from '../../../src/engine/sending/unstarted-rows.js';

const MIB = 1_024 * 1_024;

function aWorld() {
  const world = { time: 0 };
  const rows = createUnstartedRows(() => world.time);
  const add = (count: number, { workspaceId = 'a', bytes = 2_048 } = {}) =>
    Array.from({ length: count }, () => rows.add(workspaceId, bytes));
  return Object.assign(world, { rows, add });
}

describe('unstarted rows', () => {
  it('are many from 500 on, until half of them have started', () => {
    const { rows, add } = aWorld();
    const added = add(499);
    expect(rows.areMany()).to.equal(false);
    added.push(...add(1));
    expect(rows.areMany()).to.equal(true);
    for (const row of added.splice(0, 250)) rows.remove(row);
    expect(rows.areMany()).to.equal(true);
    rows.remove(added.pop()!);
    expect(rows.areMany()).to.equal(false);
    added.push(...add(250));
    expect(rows.areMany()).to.equal(false);
  });

  it('are many from 4 MiB on, until 2 MiB are left', () => {
    const { rows, add } = aWorld();
    const added = add(4, { bytes: MIB - 1 });
    expect(rows.areMany()).to.equal(false);
    added.push(...add(1, { bytes: 4 }));
    expect(rows.areMany()).to.equal(true);
    rows.remove(added[0]!);
    rows.remove(added[1]!);
    expect(rows.areMany()).to.equal(true);
    rows.remove(added[4]!);
    expect(rows.areMany()).to.equal(false);
  });

  it('count for a quarter of a second, and a row that starts after that does not count twice', () => {
    const world = aWorld();
    const old = world.add(300);
    world.time = 249;
    world.add(200);
    expect(world.rows.areMany()).to.equal(true);
    world.time = 250;
    expect(world.rows.areMany()).to.equal(false);
    for (const row of old) world.rows.remove(row);
    world.add(299);
    expect(world.rows.areMany()).to.equal(false);
    world.add(1);
    expect(world.rows.areMany()).to.equal(true);
  });

  it('are shared: a workspace has its share with as many as the average, and none without rows', () => {
    const { rows, add } = aWorld();
    const started = add(1, { workspaceId: 'started' });
    for (const row of started) rows.remove(row);
    add(4, { workspaceId: 'a' });
    add(2, { workspaceId: 'b' });
    add(3, { workspaceId: 'c' });
    expect(['a', 'b', 'c', 'started', 'other'].filter(rows.hasShare)).to.deep.equal(['a', 'c']);
  });
});
