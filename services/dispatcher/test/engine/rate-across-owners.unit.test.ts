import { expect } from 'chai';
import fc from 'fast-check';
import type { Action } from './simulation/script.js';
import { PROCESSES } from './simulation/script.js';
import { simulate } from './simulation/simulate.js';

const RATE = 20;
const ROWS = 120;
/** What the contract allows: two seconds' worth. */
const MAX_BEYOND = 2 * RATE;
const ANSWER = { outcome: { kind: 'answered', httpStatus: 200, responseBody: null }, durationMs: 0 } as const;

const process = fc.nat(PROCESSES - 1);
const change: fc.Arbitrary<Action> = fc.oneof(
  process.map((to): Action => ({ do: 'move', partition: 0, to })),
  process.map((killed): Action => ({ do: 'kill', process: killed })),
);
const changes = fc.array(fc.record({ change, after: fc.integer({ min: 1, max: 900 }) }), {
  minLength: 3,
  maxLength: 8,
});
const backlog: Action = { do: 'deliver', endpoint: 0, count: ROWS, lost: false, offer: null };

/** The most POSTs beyond the rate in any span of time. */
function mostBeyondRate(times: readonly number[]): number {
  let least = Number.POSITIVE_INFINITY;
  let worst = 0;
  for (const [index, at] of times.entries()) {
    const beyond = index - (RATE * at) / 1_000;
    least = Math.min(least, beyond);
    worst = Math.max(worst, beyond - least + 1);
  }
  return worst;
}

describe('the rate of an endpoint whose owner changes', () => {
  it('is exceeded by one POST for each new owner at most, and nothing is sent early or lost', async () => {
    await fc.assert(
      fc.asyncProperty(changes, async (owners) => {
        const actions = [
          { ...backlog, after: 0 },
          ...owners.map(({ change: one, after }) => ({ ...one, after })),
        ];
        const { store, receiver } = await simulate(
          { actions, answers: [ANSWER] },
          { ratePerSecond: RATE, sliceMs: 10 },
        );
        const statuses = new Set([...store.deliveries.values()].map(({ status }) => status));
        expect([...statuses]).to.deep.equal(['delivered']);
        for (const { at, delivery } of receiver.posts)
          expect(at.getTime(), 'never early').to.be.at.least(delivery.dueAt!.getTime());
        const beyond = mostBeyondRate(receiver.posts.map(({ at }) => at.getTime()));
        expect(beyond).to.be.at.most(1 + owners.length + 1e-6);
        expect(beyond).to.be.at.most(MAX_BEYOND);
      }),
      { numRuns: 5 },
    );
  }).timeout(30_000);

  it('is nearly reached, also when the owner changes', async () => {
    const actions = [{ ...backlog, after: 0 }, { do: 'move', partition: 0, to: 1, after: 2_000 } as const];
    const { receiver } = await simulate({ actions, answers: [ANSWER] }, { ratePerSecond: RATE, sliceMs: 10 });
    const times = receiver.posts.map(({ at }) => at.getTime());
    const seconds = (times.at(-1)! - times[0]!) / 1_000;
    expect(times).to.have.length(ROWS);
    expect(seconds).to.be.within(ROWS / RATE - 1, ROWS / RATE + 2);
  }).timeout(30_000);
});
