import { NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createReconciler } from '../../../src/engine/backlog/reconciler.js';
import { UNKNOWN_WORKSPACE } from '../../../src/engine/jobs/parking.js';
import { aClock, aLog, deferred } from '../builders.js';

const PAGE = 1_000;

/** A reconciler over overdue endpoints; those that begin with x are not assigned, at most `room` can be parked. */
function aReconciler(overdue: readonly string[], room = 10_000) {
  const log = aLog();
  const parked: string[] = [];
  const isParked = new Set<string>();
  const asked: Date[] = [];
  const pages: number[] = [];
  const owners: (readonly string[])[] = [];
  const world = { gate: Promise.resolve(), woken: 0, reads: 0 };
  const reconciler = createReconciler({
    parking: {
      parkOverdue({ endpointId, workspaceId }) {
        parked.push(endpointId);
        isParked.add(endpointId);
        owners.push([endpointId, workspaceId]);
      },
      isParked: (endpointId) => isParked.has(endpointId),
      isFull: () => parked.length >= room,
    },
    backlog: {
      async *overdueEndpoints(before, after = '') {
        asked.push(before);
        await world.gate;
        const behind = overdue.filter((endpointId) => endpointId > after);
        for (let read = 0; read < behind.length; read += PAGE) {
          pages.push(read);
          yield behind.slice(read, read + PAGE);
        }
      },
      async workspacesOf(endpointIds) {
        world.reads += 1;
        const stored = endpointIds.filter((endpointId) => endpointId !== 'removed');
        return new Map(stored.map((endpointId) => [endpointId, `w-${endpointId}`]));
      },
    },
    clock: aClock(),
    isAssigned: (endpointId) => !endpointId.startsWith('x'),
    onParked: () => {
      world.woken += 1;
    },
    log,
  });
  const unparkAll = () => {
    parked.length = 0;
    isParked.clear();
  };
  return Object.assign(world, { unparkAll, reconciler, parked, owners, asked, pages, log });
}

const numbered = (count: number, prefix = 'e') =>
  Array.from({ length: count }, (_, index) => `${prefix}${String(index).padStart(5, '0')}`);

describe('reconciler', () => {
  it('parks assigned endpoints with rows that are overdue by the grace period', async () => {
    const { reconciler, parked, asked, log } = aReconciler(['a', 'b', 'x']);
    await reconciler.reconcileAll(30_000);
    expect(asked).to.deep.equal([new Date(NOON.getTime() - 30_000)]);
    expect(parked).to.deep.equal(['a', 'b']);
    expect(log.lines).to.deep.equal(['info reconciled']);
  });

  it('parks overdue endpoints page by page', async () => {
    const overdue = numbered(2_500);
    const world = aReconciler(overdue);
    await world.reconciler.reconcileAll(0);
    expect(world.parked).to.deep.equal(overdue);
    expect(world.woken).to.equal(3);
    expect(world.reads).to.equal(3);
  });

  it('parks endpoints under their workspaces', async () => {
    const { reconciler, owners } = aReconciler(['a', 'removed']);
    await reconciler.reconcileAll(0);
    expect(owners).to.deep.equal([
      ['a', 'w-a'],
      ['removed', UNKNOWN_WORKSPACE],
    ]);
  });

  it('ends when there are none to park among many, and continues with the next ones', async () => {
    const ofOthers = numbered(25_000, 'x');
    const world = aReconciler([...ofOthers, 'y']);
    await world.reconciler.reconcileNext(0);
    expect(world.parked).to.deep.equal([]);
    await world.reconciler.reconcileNext(0);
    expect(world.parked).to.deep.equal(['y']);
    world.unparkAll();
    await world.reconciler.reconcileNext(0);
    expect(world.parked, 'begins with the first ones again').to.deep.equal([]);
  });

  it('does not end while there are endpoints to park', async () => {
    const overdue = numbered(25_000);
    const world = aReconciler(overdue, 100_000);
    for (let pass = 0; pass < 2; pass += 1) {
      await world.reconciler.reconcileNext(0);
      expect(world.parked).to.deep.equal(overdue);
      world.unparkAll();
    }
  });

  it('examines the first endpoints again in a pass over all, wherever the last one ended', async () => {
    const world = aReconciler(['a', ...numbered(25_000, 'x'), 'y']);
    await world.reconciler.reconcileNext(0);
    expect(world.parked).to.deep.equal(['a']);
    world.unparkAll();
    await world.reconciler.reconcileAll(0);
    expect(world.parked).to.deep.equal(['a', 'y']);
  });

  it('continues where a pass over all ended because no more could be parked', async () => {
    const overdue = numbered(2_500);
    const world = aReconciler(overdue, 1_000);
    await world.reconciler.reconcileAll(0);
    world.unparkAll();
    await world.reconciler.reconcileNext(0);
    expect(world.parked).to.deep.equal(overdue.slice(1_000, 2_000));
  });

  it('examines all endpoints if that is requested during a pass over the next ones', async () => {
    const overdue = [...numbered(25_000, 'x'), 'y'];
    const world = aReconciler(overdue);
    const first = world.reconciler.reconcileNext(30_000);
    void world.reconciler.reconcileAll(2_000);
    await first;
    expect(world.parked).to.deep.equal(['y']);
  });

  it('examines all endpoints in the pass after one over all that failed', async () => {
    const world = aReconciler([...numbered(25_000, 'x'), 'y']);
    world.gate = Promise.reject(new Error('no primary'));
    expect(await world.reconciler.reconcileAll(2_000).catch(({ message }) => message)).to.equal('no primary');
    world.gate = Promise.resolve();
    await world.reconciler.reconcileNext(30_000);
    expect(world.parked).to.deep.equal(['y']);
    expect(world.asked.map((before) => NOON.getTime() - before.getTime())).to.deep.equal([2_000, 2_000]);
    await world.reconciler.reconcileNext(30_000);
    expect(world.asked.at(-1), 'only once').to.deep.equal(new Date(NOON.getTime() - 30_000));
  });

  it('stops when no more endpoints can be parked', async () => {
    const { reconciler, pages } = aReconciler(numbered(2_500), 1_000);
    await reconciler.reconcileAll(0);
    expect(pages).to.deep.equal([0]);
  });

  it('neither parks nor reports endpoints that are parked already', async () => {
    const world = aReconciler(['a']);
    await world.reconciler.reconcileAll(0);
    await world.reconciler.reconcileAll(0);
    expect(world.log.lines).to.deep.equal(['info reconciled']);
    expect(world.reads).to.equal(1);
  });

  it('runs one pass at a time, and another one with the shortest grace period requested meanwhile', async () => {
    const world = aReconciler(['a']);
    const gate = deferred();
    world.gate = gate.promise;
    const first = world.reconciler.reconcileAll(30_000);
    void world.reconciler.reconcileAll(30_000);
    void world.reconciler.reconcileAll(2_000);
    expect(world.asked).to.have.length(1);
    gate.resolve();
    await first;
    expect(world.asked.map((before) => NOON.getTime() - before.getTime())).to.deep.equal([30_000, 2_000]);
  });
});
