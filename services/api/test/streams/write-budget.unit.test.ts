import { expect } from 'chai';
import { createWriteBudget, type Reservation } from '../../src/streams/write-budget.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

function aBudget() {
  const budget = createWriteBudget({ maxBytes: 100, maxBytesPerWorkspace: 60, bytesForOthers: 10 });
  const served: string[] = [];
  const reservations = new Map<string, Reservation>();
  const reserve = async (name: string, workspaceId: string, bytes: number) => {
    void budget.reserve(workspaceId, bytes).then((reservation) => {
      served.push(name);
      reservations.set(name, reservation);
    });
    await turn();
  };
  const resize = async (name: string, bytes: number) => {
    reservations.get(name)!.resize(bytes);
    await turn();
  };
  return { served, reserve, resize };
}

describe('write budget', () => {
  it('reserves no more than it has, and serves those that wait in order', async () => {
    const { served, reserve, resize } = aBudget();
    await reserve('a', 'ws_1', 60);
    await reserve('b', 'ws_2', 50);
    await reserve('c', 'ws_2', 10);
    expect(served).to.deep.equal(['a']);
    await resize('a', 50);
    expect(served).to.deep.equal(['a', 'b']);
    await resize('b', 0);
    expect(served).to.deep.equal(['a', 'b', 'c']);
  });

  it('leaves something for other workspaces', async () => {
    const { served, reserve, resize } = aBudget();
    await reserve('a', 'ws_1', 40);
    await reserve('b', 'ws_1', 40);
    await reserve('c', 'ws_2', 40);
    expect(served).to.deep.equal(['a', 'c']);
    await resize('a', 0);
    expect(served).to.deep.equal(['a', 'c', 'b']);
  });

  it('leaves something for workspaces that have reserved nothing', async () => {
    const { served, reserve, resize } = aBudget();
    await reserve('a', 'ws_1', 60);
    await reserve('b1', 'ws_2', 20);
    await reserve('b2', 'ws_2', 20);
    await reserve('c', 'ws_3', 20);
    expect(served).to.deep.equal(['a', 'b1', 'c']);
    await resize('c', 0);
    expect(served).to.deep.equal(['a', 'b1', 'c']);
    await resize('a', 50);
    expect(served).to.deep.equal(['a', 'b1', 'c', 'b2']);
  });

  it('serves workspaces in turn', async () => {
    const { served, reserve, resize } = aBudget();
    await reserve('all', 'ws_0', 100);
    for (const name of ['a1', 'a2', 'a3']) await reserve(name, 'ws_1', 30);
    await reserve('b1', 'ws_2', 30);
    await resize('all', 0);
    expect(served).to.deep.equal(['all', 'a1', 'b1', 'a2']);
  });

  // Regression: the request of `b` was lost.
  it('serves a new request of a workspace, although an earlier reservation is ended twice', async () => {
    const { served, reserve, resize } = aBudget();
    await reserve('a', 'ws_1', 10);
    await resize('a', 0);
    await reserve('all', 'ws_2', 100);
    await reserve('b', 'ws_1', 10);
    await resize('a', 0);
    await resize('all', 0);
    expect(served).to.deep.equal(['a', 'all', 'b']);
  });

  it('reserves what is larger than the budget alone', async () => {
    const { served, reserve, resize } = aBudget();
    await reserve('a', 'ws_1', 10);
    await reserve('large', 'ws_2', 200);
    await reserve('b', 'ws_1', 10);
    await reserve('c', 'ws_1', 10);
    expect(served).to.deep.equal(['a', 'b']);
    await resize('a', 0);
    await resize('b', 0);
    expect(served).to.deep.equal(['a', 'b', 'large']);
    await resize('large', 0);
    expect(served).to.deep.equal(['a', 'b', 'large', 'c']);
  });
});
