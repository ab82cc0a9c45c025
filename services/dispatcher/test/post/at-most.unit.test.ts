import { expect } from 'chai';
import { atMost } from '../../src/post/at-most.js';

/** Works that end when the test says so. */
function works() {
  const running = new Map<string, { end: () => void; fail: () => void }>();
  const work = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      running.set(name, { end: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  return { running, work };
}

describe('a bound on works', () => {
  it('runs no more than the limit and the others in the order in which they came', async () => {
    const { running, work } = works();
    const inTurn = atMost(2);
    const all = Promise.all(['a', 'b', 'c', 'd'].map((name) => inTurn(work(name))));
    expect([...running.keys()]).to.deep.equal(['a', 'b']);

    running.get('b')!.end();
    await new Promise(setImmediate);
    expect([...running.keys()]).to.deep.equal(['a', 'b', 'c']);

    for (const name of ['a', 'c']) running.get(name)!.end();
    await new Promise(setImmediate);
    running.get('d')!.end();
    expect(await all).to.deep.equal(['a', 'b', 'c', 'd']);
  });

  it('gives the place of a failed work to the next', async () => {
    const { running, work } = works();
    const inTurn = atMost(1);
    const failed = inTurn(work('a')).catch((error: Error) => error.message);
    const next = inTurn(work('b'));
    running.get('a')!.fail();
    expect(await failed).to.equal('a');
    await new Promise(setImmediate);
    running.get('b')!.end();
    expect(await next).to.equal('b');
  });
});
