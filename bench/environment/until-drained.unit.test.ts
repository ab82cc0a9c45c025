import { expect } from 'chai';
import { untilDrained } from './until-drained.js';

/** POSTs that came by each moment, in milliseconds; the rows are settled from `settledAt` on. */
function waiting({ cameAt, settledAt }: { cameAt: (ms: number) => number; settledAt: number }) {
  let time = 0;
  const told: string[] = [];
  let looks = 0;
  return {
    told,
    looks: () => looks,
    ended: untilDrained({
      posts: () => ({ promised: 100, came: cameAt(time) }),
      settled: async () => {
        looks += 1;
        return time >= settledAt;
      },
      pause: async (ms) => {
        time += ms;
      },
      progress: (line) => void told.push(line),
      now: () => time,
    }),
  };
}

describe('waiting for everything to be drained', () => {
  it('ends when all POSTs have come and their rows are settled', async () => {
    const { ended } = waiting({ cameAt: (ms) => Math.min(100, ms / 10), settledAt: 1_200 });
    expect(await ended).to.equal(1_200);
  });

  it('asks the database only once all POSTs have come', async () => {
    const { ended, looks } = waiting({ cameAt: (ms) => (ms >= 2_000 ? 100 : 99), settledAt: 0 });
    await ended;
    expect(looks()).to.equal(1);
  });

  it('gives up when nothing has moved for a minute and a half', async () => {
    const { ended, told } = waiting({ cameAt: () => 99, settledAt: 0 });
    expect(await ended).to.equal(null);
    expect(told.at(0)).to.equal('99 of 100 POSTs have come');
  });

  it('is patient with what is slow but moves', async () => {
    const { ended } = waiting({ cameAt: (ms) => Math.min(100, Math.floor(ms / 60_000)), settledAt: 0 });
    expect(await ended).to.equal(6_000_000);
  });

  it('gives up when rows are never settled', async () => {
    const { ended } = waiting({ cameAt: () => 100, settledAt: Number.POSITIVE_INFINITY });
    expect(await ended).to.equal(null);
  });
});
