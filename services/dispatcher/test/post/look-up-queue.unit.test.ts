import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { createLookUpQueue } from '../../src/post/look-up-queue.js';

const settleDown = () => new Promise((resolve) => setImmediate(resolve));

/** A queue whose look-ups end when the test says so. */
function aQueue(limits: Partial<Parameters<typeof createLookUpQueue>[0]> = {}) {
  const queue = createLookUpQueue({ total: 4, perWorkspace: 2, holdMs: 60_000, ...limits });
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const run = (workspaceId: string, name: string) =>
    queue.run(workspaceId, () => {
      started.push(name);
      return new Promise<void>((resolve) => running.set(name, resolve));
    });
  const end = async (name: string) => {
    running.get(name)?.();
    await settleDown();
  };
  return { run, started, end };
}

describe('look-up queue', () => {
  it('limits the look-ups of a workspace and starts those of another', () => {
    const { run, started } = aQueue();
    for (const name of ['a1', 'a2', 'a3', 'a4']) run('a', name);
    run('b', 'b1');
    expect(started).to.deep.equal(['a1', 'a2', 'b1']);
  });

  it('lets workspaces take turns when all slots are taken', async () => {
    const { run, started, end } = aQueue({ total: 1, perWorkspace: 1 });
    for (const name of ['a1', 'a2', 'a3']) run('a', name);
    run('b', 'b1');
    run('c', 'c1');
    for (const name of ['a1', 'b1', 'c1', 'a2']) await end(name);
    expect(started).to.deep.equal(['a1', 'b1', 'c1', 'a2', 'a3']);
  });

  it('frees a slot after its time although the look-up goes on', async () => {
    const { run, started } = aQueue({ total: 1, perWorkspace: 1, holdMs: 1 });
    run('a', 'a1');
    run('b', 'b1');
    expect(started).to.deep.equal(['a1']);
    await eventually(() => expect(started).to.deep.equal(['a1', 'b1']));
  });

  it('frees the slot of a look-up that fails', async () => {
    const queue = createLookUpQueue({ total: 1, perWorkspace: 1, holdMs: 60_000 });
    let started = 0;
    const fail = async () => {
      started += 1;
      throw new Error('no such name');
    };
    for (let n = 0; n < 10; n += 1) queue.run('a', fail);
    await eventually(() => expect(started).to.equal(10));
  });
});
