import { expect } from 'chai';
import fc from 'fast-check';
import { shareRounds } from '../../src/mongo/share-rounds.js';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: Error) => error.message,
  );

/** Rounds that end when the test says so. */
function controlled(limits: { concurrency: number; maxItems: number }) {
  const clock = { ms: 0 };
  const rounds: (readonly number[])[] = [];
  const ends: ((error?: Error) => void)[] = [];
  const add = shareRounds<number, string>({
    ...limits,
    maxWaitMs: 100,
    tooLate: () => new Error('too late'),
    monotonicMs: () => clock.ms,
    async handle(items) {
      rounds.push(items);
      await new Promise<void>((resolve, reject) =>
        ends.push((error) => (error === undefined ? resolve() : reject(error))),
      );
      return items.map(async (item) => {
        if (item < 0) throw new Error(`${item} is refused`);
        return `answer ${item}`;
      });
    },
  });
  const end = async (round: number, error?: Error) => {
    ends[round]!(error);
    for (let count = 0; count < 3; count += 1) await turn();
  };
  return { add, rounds, end, clock };
}

describe('shared rounds', () => {
  it('handle a lone item at once, and those that arrive meanwhile together', async () => {
    const { add, rounds, end } = controlled({ concurrency: 1, maxItems: 10 });
    const first = add(1);
    await turn();
    expect(rounds).to.deep.equal([[1]]);
    const others = [add(2), add(3)];
    await turn();
    expect(rounds).to.deep.equal([[1]]);
    await end(0);
    expect(rounds).to.deep.equal([[1], [2, 3]]);
    await end(1);
    expect(await Promise.all([first, ...others])).to.deep.equal(['answer 1', 'answer 2', 'answer 3']);
  });

  it('run at the same time up to the limit, with so many items at most', async () => {
    const { add, rounds, end } = controlled({ concurrency: 2, maxItems: 2 });
    const early = add(1);
    await turn();
    const answers = [early, ...[2, 3, 4, 5, 6].map(add)];
    await turn();
    await turn();
    expect(rounds).to.deep.equal([[1], [2, 3]]);
    await end(1);
    expect(rounds).to.deep.equal([[1], [2, 3], [4, 5]]);
    for (const round of [0, 2, 3]) await end(round);
    expect(await Promise.all(answers)).to.have.length(6);
  });

  it('fail alone: an item that is refused does not affect others, nor does a failed round the next one', async () => {
    const { add, end } = controlled({ concurrency: 1, maxItems: 10 });
    const [fine, refused] = [add(1), add(-2)];
    const reason = failure(refused);
    await turn();
    await end(0);
    expect([await fine, await reason]).to.deep.equal(['answer 1', '-2 is refused']);
    const reasons = [add(3), add(4)].map(failure);
    await turn();
    await end(1, new Error('away'));
    expect(await Promise.all(reasons)).to.deep.equal(['away', 'away']);
    const last = add(5);
    await turn();
    await end(2);
    expect(await last).to.equal('answer 5');
  });

  it('leave out items that have waited for too long, so that nothing happens after their callers have given up', async () => {
    const { add, rounds, end, clock } = controlled({ concurrency: 1, maxItems: 2 });
    const first = add(1);
    await turn();
    const late = [2, 3, 4].map((item) => failure(add(item)));
    clock.ms = 50;
    const inTime = add(5);
    clock.ms = 101;
    await end(0);
    await end(1);
    expect(rounds).to.deep.equal([[1], [5]]);
    expect([await first, await inTime]).to.deep.equal(['answer 1', 'answer 5']);
    expect(await Promise.all(late)).to.deep.equal(['too late', 'too late', 'too late']);
  });

  it('give each item its own answer, whatever arrives when', async () => {
    const step = fc.oneof(fc.constant('pause' as const), fc.integer({ min: -5, max: 5 }));
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(step, { maxLength: 40 }),
        fc.integer({ min: 1, max: 3 }),
        async (scheduler, steps, concurrency) => {
          let running = 0;
          let handled = 0;
          const add = shareRounds<number, number>({
            concurrency,
            maxItems: 4,
            maxWaitMs: 1_000,
            tooLate: () => new Error('too late'),
            monotonicMs: () => 0,
            async handle(items) {
              running += 1;
              handled += items.length;
              expect(running).to.be.at.most(concurrency);
              expect(items.length).to.be.within(1, 4);
              await scheduler.schedule(Promise.resolve());
              running -= 1;
              if (items.includes(0)) throw new Error('away');
              return items.map(async (item) => {
                if (item < 0) throw new Error(`${item}`);
                return item * 2;
              });
            },
          });
          const items: number[] = [];
          const answers: Promise<string | number>[] = [];
          for (const one of steps) {
            if (one === 'pause') await turn();
            else {
              items.push(one);
              answers.push(add(one).catch((error: Error) => error.message));
            }
          }
          const all = Promise.all(answers);
          await scheduler.waitFor(all);
          expect(handled).to.equal(items.length);
          for (const [index, answer] of (await all).entries())
            expect(['away', items[index]! < 0 ? `${items[index]}` : items[index]! * 2]).to.include(answer);
        },
      ),
      { numRuns: 50 },
    );
  });
});
