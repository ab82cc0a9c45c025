import { expect } from 'chai';
import { untilDrained } from './drain.js';

/** @param receivedAt the POSTs received by each moment, in milliseconds */
async function drain(receivedAt: (ms: number) => number, settledAt: number) {
  let time = 0;
  let checks = 0;
  const progress: string[] = [];
  const drainedAt = await untilDrained({
    posts: () => ({ expected: 100, received: receivedAt(time) }),
    isSettled: async () => {
      checks += 1;
      return time >= settledAt;
    },
    sleep: async (ms) => {
      time += ms;
    },
    progress: (line) => void progress.push(line),
    monotonicMs: () => time,
  });
  return { drainedAt, checks, progress };
}

describe('waiting until everything is drained', () => {
  it('ends once all POSTs have arrived and their rows are settled', async () => {
    expect((await drain((ms) => Math.min(100, ms / 10), 1_200)).drainedAt).to.equal(1_200);
  });

  it('queries the database only once all POSTs have arrived', async () => {
    expect((await drain((ms) => (ms >= 2_000 ? 100 : 99), 0)).checks).to.equal(1);
  });

  it('continues as long as there is slow progress', async () => {
    const slow = (ms: number) => Math.min(100, Math.floor(ms / 60_000));
    expect((await drain(slow, 0)).drainedAt).to.equal(6_000_000);
  });

  it('returns null after 90 seconds without progress', async () => {
    const { drainedAt, progress } = await drain(() => 99, 0);
    expect(drainedAt).to.equal(null);
    expect(progress.at(0)).to.equal('99 of 100 POSTs received');
  });

  it('returns null if rows are never settled', async () => {
    expect((await drain(() => 100, Number.POSITIVE_INFINITY)).drainedAt).to.equal(null);
  });
});
