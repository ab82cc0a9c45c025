import { aMessage, idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createSkipDelivered } from '../../../src/engine/intake/skip-delivered.js';
import { aLog, deferred, settleDown, turnLimitsBy } from '../builders.js';

const ASSIGNED_AT = 1_000;
const [BEFORE, AFTER] = [ASSIGNED_AT - 1, ASSIGNED_AT];

function aCheck() {
  const world = {
    now: ASSIGNED_AT,
    monotonicMs: 0,
    /** How long it takes to add a message, in milliseconds. */
    addMs: 0,
    delivered: new Set<string>(),
    queried: [] as number[],
    added: [] as string[],
    skipped: [] as string[],
    wakeUps: 0,
    gate: (): Promise<void> => Promise.resolve(),
    gathered: [] as (() => void)[],
    log: aLog(),
  };
  const check = createSkipDelivered<ReturnType<typeof received>>({
    store: {
      async deliveredOf(ids) {
        world.queried.push(ids.length);
        await world.gate();
        return new Set(ids.filter((id) => world.delivered.has(id)));
      },
    },
    add: ({ message }) => {
      world.added.push(message.deliveryId);
      world.monotonicMs += world.addMs;
    },
    skip: ({ message }) => world.skipped.push(message.deliveryId),
    onAdded: () => {
      world.wakeUps += 1;
    },
    clockMs: () => world.now,
    turn: turnLimitsBy(() => world.monotonicMs)(),
    later: (task) => world.gathered.push(task),
    log: world.log,
  });
  check.assigned();
  return Object.assign(world, {
    check,
    acceptAll(names: readonly string[], appendedAt = BEFORE) {
      for (const name of names) check.accept(received(name, appendedAt));
    },
    gatherAll() {
      for (const task of world.gathered.splice(0)) task();
      return settleDown();
    },
  });
}

const received = (name: string, appendedAt: number) => ({
  message: aMessage({ deliveryId: idFor('delivery', name) }),
  appendedAt,
});
const names = (prefix: string, count: number) => Array.from({ length: count }, (_, n) => `${prefix}${n}`);
const idsOf = (all: readonly string[]) => all.map((name) => idFor('delivery', name));

describe('skipping what was delivered before', () => {
  it('adds what was appended since the partitions are assigned at once', () => {
    const world = aCheck();
    world.acceptAll(['new'], AFTER);
    expect(world.added).to.deep.equal(idsOf(['new']));
    expect(world.queried).to.deep.equal([]);
  });

  it('adds messages in several turns if that takes long, in order', async () => {
    const world = aCheck();
    world.addMs = 2;
    world.acceptAll(names('m', 7));
    for (const task of world.gathered.splice(0)) task();
    const added: number[] = [];
    while (world.added.length < 7) {
      await settleDown(1);
      added.push(world.added.length);
    }
    expect(added.filter((count) => count > 0)).to.deep.equal([3, 5, 7]);
    expect(world.added).to.deep.equal(idsOf(names('m', 7)));
  });

  it('asks once for what is read again, skips what is delivered, and adds the rest in order', async () => {
    const world = aCheck();
    world.delivered = new Set(idsOf(['b']));
    world.acceptAll(['a', 'b', 'c']);
    expect(world.added).to.deep.equal([]);
    await world.gatherAll();
    expect(world).to.deep.include({
      queried: [3],
      added: idsOf(['a', 'c']),
      skipped: idsOf(['b']),
      wakeUps: 1,
    });
  });

  it('asks for at most 500 at a time', async () => {
    const world = aCheck();
    const all = names('d', 1_200);
    world.delivered = new Set(idsOf(all));
    world.acceptAll(all);
    await world.gatherAll();
    expect(world.queried).to.deep.equal([500, 500, 200]);
    expect(world.skipped).to.have.length(1_200);
  });

  it('asks no more when fewer than a tenth of a batch were delivered, until the next assignment', async () => {
    const world = aCheck();
    world.delivered = new Set(idsOf(names('d', 49)));
    world.acceptAll([...names('d', 49), ...names('open', 451)]);
    await settleDown();
    world.acceptAll(['later']);
    expect(world.added.at(-1)).to.equal(idFor('delivery', 'later'));
    world.check.assigned();
    world.acceptAll(['again']);
    await world.gatherAll();
    expect(world.queried).to.deep.equal([500, 1]);
  });

  it('continues to ask while at least a tenth were delivered, over all batches', async () => {
    const world = aCheck();
    const delivered = names('d', 150);
    world.delivered = new Set(idsOf(delivered));
    world.acceptAll([...delivered.slice(0, 100), ...names('open', 400)]);
    await settleDown();
    world.acceptAll(names('others', 500));
    await settleDown();
    world.acceptAll([...delivered.slice(100), ...names('further', 450)]);
    await settleDown();
    expect(world.queried).to.deep.equal([500, 500, 500]);
  });

  it('asks again after a few that were not delivered', async () => {
    const world = aCheck();
    const delivered = names('d', 500);
    world.delivered = new Set(idsOf(delivered));
    world.acceptAll(['open']);
    await world.gatherAll();
    world.acceptAll(delivered);
    await settleDown();
    expect(world.queried).to.deep.equal([1, 500]);
    expect(world.skipped).to.have.length(500);
  });

  it('decides nothing by an answer from before the last assignment', async () => {
    const world = aCheck();
    const gate = deferred();
    world.gate = () => gate.promise;
    world.acceptAll(names('open', 500));
    world.check.assigned();
    gate.resolve();
    await settleDown();
    world.acceptAll(['again']);
    await world.gatherAll();
    expect(world.queried).to.deep.equal([500, 1]);
  });

  it('adds everything when the query fails, and logs it', async () => {
    const world = aCheck();
    const gate = deferred();
    world.gate = () => gate.promise;
    world.acceptAll(['a', 'b']);
    const gathered = world.gatherAll();
    gate.reject(new Error('no server'));
    await gathered;
    expect(world.added).to.deep.equal(idsOf(['a', 'b']));
    expect(world.log.lines).to.deep.equal(['warn skip_delivered.failed']);
  });
});
