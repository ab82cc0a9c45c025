import { expect } from 'chai';
import { createSampledCounter } from '../../src/rate-limits/sampled-counter.js';

const WINDOW_MS = 60_000;

describe('sampled counter', () => {
  /** Several processes with one shared counter of a fixed window. */
  function processes(count: number, limit: number) {
    const time = { now: 0 };
    const shared = { consumed: 0, reports: 0, endsAt: 0 };
    const counter = async (_client: string, requests = 1) => {
      if (time.now >= shared.endsAt) Object.assign(shared, { consumed: 0, endsAt: time.now + WINDOW_MS });
      shared.consumed += requests;
      shared.reports += 1;
      return {
        isAdmitted: shared.consumed <= limit,
        remaining: Math.max(0, limit - shared.consumed),
        resetsInMs: shared.endsAt - time.now,
      };
    };
    const counters = Array.from({ length: count }, () =>
      createSampledCounter({ counter, limit, now: () => time.now }),
    );
    return { time, shared, counters };
  }

  it('admits exactly the limit in one process, with a write for each hundredth', async () => {
    const { counters, shared } = processes(1, 1_000);
    let admitted = 0;
    for (let n = 0; n < 1_500; n += 1) if ((await counters[0]!('ws')).isAdmitted) admitted += 1;
    expect(admitted).to.equal(1_000);
    expect(shared.reports - 500).to.be.within(100, 120);
  });

  it('exceeds the limit by at most a hundredth for each further process', async () => {
    const { counters } = processes(4, 1_000);
    let admitted = 0;
    for (let n = 0; n < 3_000; n += 1) if ((await counters[n % 4]!('ws')).isAdmitted) admitted += 1;
    expect(admitted).to.be.within(1_000, 1_040);
  });

  it('counts small limits exactly over all processes', async () => {
    const { counters } = processes(3, 20);
    let admitted = 0;
    for (let n = 0; n < 60; n += 1) if ((await counters[n % 3]!('ws')).isAdmitted) admitted += 1;
    expect(admitted).to.equal(20);
  });

  it('starts again with the next window', async () => {
    const { counters, time } = processes(1, 2);
    for (const isAdmitted of [true, true, false]) expect(await counters[0]!('ws')).to.include({ isAdmitted });
    time.now = WINDOW_MS;
    expect(await counters[0]!('ws')).to.include({ isAdmitted: true, remaining: 1 });
  });
});
