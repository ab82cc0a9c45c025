import { expect } from 'chai';
import { coalesce } from '../../src/runtime/coalesce.js';

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error) => error.message,
  );

describe('coalesce', () => {
  it('runs one round for items added in one turn', async () => {
    const rounds: string[][] = [];
    const add = coalesce(async (items: readonly string[]) => {
      rounds.push([...items]);
      return items.length;
    });
    expect(await Promise.all([add('a'), add('b'), add('c')])).to.deep.equal([3, 3, 3]);
    expect(rounds).to.deep.equal([['a', 'b', 'c']]);
  });

  it('collects items added during a round for the next one and never runs two concurrently', async () => {
    const rounds: string[][] = [];
    const ends: (() => void)[] = [];
    const add = coalesce(async (items: readonly string[]) => {
      rounds.push([...items]);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
    const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
    const first = add('a');
    await turn();
    await turn();
    const others = [add('b'), add('c')];
    await turn();
    await turn();
    expect(rounds).to.deep.equal([['a']]);
    ends[0]!();
    await first;
    await turn();
    await turn();
    expect(rounds).to.deep.equal([['a'], ['b', 'c']]);
    ends[1]!();
    await Promise.all(others);
  });

  it('rejects all callers of a failed round and continues with the next', async () => {
    let attempts = 0;
    const add = coalesce(async (_items: readonly string[]) => {
      attempts += 1;
      if (attempts === 1) throw new Error('no primary');
    });
    expect(await Promise.all([failure(add('a')), failure(add('b'))])).to.deep.equal([
      'no primary',
      'no primary',
    ]);
    expect(await failure(add('c'))).to.equal(null);
  });
});
