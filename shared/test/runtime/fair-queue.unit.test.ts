import { expect } from 'chai';
import { createFairQueue } from '../../src/runtime/fair-queue.js';
import { eventually } from '../../src/testing/eventually.js';

const settleDown = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose tasks end when the test says so. */
function aQueue(limits: Partial<Parameters<typeof createFairQueue>[0]> = {}) {
  const queue = createFairQueue({ total: 4, perKey: 2, holdMs: 60_000, ...limits });
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (key: string, name: string) =>
    queue.run(key, () => {
      started.push(name);
      return new Promise<void>((resolve) => running.set(name, resolve));
    });
  const end = async (name: string) => {
    running.get(name)?.();
    await settleDown();
  };
  return { run, started, end, waiting: queue.waiting, isFull: queue.isFull };
}

describe('fair queue', () => {
  it('limits the tasks of a key and starts those of another', () => {
    const { run, started, waiting } = aQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) run('a', name);
    run('b', 'b1');
    expect(started).to.deep.equal(['a1', 'a2', 'b1']);
    expect([waiting('a'), waiting('b'), waiting('c')]).to.deep.equal([2, 0, 0]);
  });

  it('lets keys take turns when all slots are taken', async () => {
    const { run, started, end } = aQueue({ total: 1, perKey: 1 });
    for (const name of ['a1', 'a2', 'a3']) run('a', name);
    run('b', 'b1');
    run('c', 'c1');
    for (const name of ['a1', 'b1', 'c1', 'a2']) await end(name);
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('is full while a key waits for the slots of others', async () => {
    const { run, end, isFull } = aQueue({ total: 2, perKey: 1 });
    for (const name of ['a1', 'a2']) run('a', name);
    expect(isFull()).to.equal(false);
    for (const name of ['b', 'c']) run(name, name);
    expect(isFull()).to.equal(true);
    await end('b');
    expect(isFull()).to.equal(false);
  });

  it('frees a slot after its time although the task continues', async () => {
    const { run, started } = aQueue({ total: 1, perKey: 1, holdMs: 1 });
    run('a', 'a1');
    run('b', 'b1');
    expect(started).to.deep.equal(['a1']);
    await eventually(() => expect(started).to.deep.equal(['a1', 'b1']));
  });

  it('frees the slot of a task that fails', async () => {
    const queue = createFairQueue({ total: 1, perKey: 1, holdMs: 60_000 });
    let started = 0;
    const fail = async () => {
      started += 1;
      throw new Error('no such name');
    };
    const results = Array.from({ length: 10 }, () =>
      queue.run('a', fail).catch((error: Error) => error.message),
    );
    expect(await Promise.all(results)).to.deep.equal(Array(10).fill('no such name'));
    await eventually(() => expect(started).to.equal(10));
  });
});
