import { expect } from 'chai';
import type { BoundOperation } from '../../src/document/bound-operations.js';
import { limitReads } from '../../src/http/limit-reads.js';
import type { Call } from '../../src/operations/call.js';

const LIMITS = { total: 3, perKey: 2, holdMs: 60_000 };
const settleDown = () => new Promise((resolve) => setImmediate(resolve));

/** A read and a write, limited. They end when the test says so. */
function limitedOperations() {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  let now = 0;
  const operation = (method: string) =>
    ({
      method,
      run(_call, { name }) {
        started.push(`${name}`);
        return new Promise((resolve) => running.set(`${name}`, () => resolve(name)));
      },
    }) as BoundOperation;
  const [read, write] = limitReads([operation('get'), operation('post')], {
    answerWithinMs: 10_000,
    monotonicMs: () => now,
    limits: LIMITS,
  });
  const callOf = (workspaceId: string) => ({ workspace: { id: workspaceId } }) as unknown as Call;
  return {
    started,
    read: (workspaceId: string, name: string) => read!.run(callOf(workspaceId), { name }),
    write: (workspaceId: string, name: string) => write!.run(callOf(workspaceId), { name }),
    async end(name: string) {
      running.get(name)?.();
      await settleDown();
    },
    pass(ms: number) {
      now += ms;
    },
  };
}

describe('limit of concurrent reads', () => {
  it('runs two reads of a workspace and one of another, and the next ones in turn', async () => {
    const { read, started, end } = limitedOperations();
    const results = ['a1', 'a2', 'a3', 'a4'].map((name) => read('a', name));
    for (const name of ['b1', 'b2']) void read('b', name);
    await settleDown();
    expect(started).to.deep.equal(['a1', 'a2', 'b1']);
    await end('a1');
    expect(await results[0]).to.equal('a1');
    await end('a2');
    expect(started.slice(3)).to.have.members(['a3', 'b2']);
  });

  it('does not limit what is no read', async () => {
    const { write, started } = limitedOperations();
    for (const name of ['1', '2', '3', '4']) void write('a', name);
    await settleDown();
    expect(started).to.have.length(4);
  });

  it('refuses a read of a workspace with 200 that wait, but not one of another', async () => {
    const { read, started } = limitedOperations();
    for (let index = 0; index < 202; index += 1) void read('a', `a${index}`);
    await settleDown();
    const refused = await read('a', 'one more').catch((error) => error);
    expect(refused).to.include({ tag: 'RateLimited', retryAfterS: 1 });
    void read('b', 'b1');
    await settleDown();
    expect(started).to.include('b1');
  });

  it('does not start a read that has waited for more than 10 s', async () => {
    const { read, started, end, pass } = limitedOperations();
    for (const name of ['a1', 'a2']) void read('a', name);
    const late = read('a', 'late').catch((error) => error);
    await settleDown();
    pass(10_000);
    await end('a1');
    expect(await late).to.include({ tag: 'Unavailable' });
    expect(started).to.deep.equal(['a1', 'a2']);
  });
});
