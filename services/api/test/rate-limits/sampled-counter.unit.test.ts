import { nextTurn } from '@postrider/shared/runtime/turns';
import { expect } from 'chai';
import { createSampledCounter } from '../../src/rate-limits/sampled-counter.js';

const WINDOW_MS = 60_000;

describe('sampled counter', () => {
  /** Several processes with one shared counter of a fixed window. */
  function processes(count: number, limit: number, delay: () => Promise<void> = async () => {}) {
    const time = { now: 0 };
    const shared = { consumed: 0, reports: 0, endsAt: 0 };
    const counter = async (_client: string, requests = 1) => {
      await delay();
      if (time.now >= shared.endsAt) Object.assign(shared, { consumed: 0, endsAt: time.now + WINDOW_MS });
      shared.consumed += requests;
      shared.reports += 1;
      const count = {
        isAdmitted: shared.consumed <= limit,
        remaining: Math.max(0, limit - shared.consumed),
        resetsInMs: shared.endsAt - time.now,
      };
      await delay();
      return count;
    };
    const counters = Array.from({ length: count }, () =>
      createSampledCounter({ counter, limit, monotonicMs: () => time.now }),
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

  it('counts what arrives while a report is on its way, also if reports overtake each other', async () => {
    let delays = 0;
    const delay = async () => {
      delays += 1;
      for (let turns = (delays * 7) % 11; turns > 0; turns -= 1) await nextTurn();
    };
    const { counters, shared } = processes(1, 1_000, delay);
    const results: Promise<{ readonly isAdmitted: boolean }>[] = [];
    for (let n = 0; n < 2_000; n += 1) {
      results.push(counters[0]!('ws'));
      if (n % 7 === 0) await nextTurn();
    }
    const admitted = (await Promise.all(results)).filter(({ isAdmitted }) => isAdmitted);
    expect(admitted).to.have.length(1_000);
    expect(shared.consumed).to.equal(2_000);
    expect(shared.reports - 1_000).to.be.below(250);
  });

  it('starts again with the next window although a report of the last one is still on its way', async () => {
    const held: (() => void)[] = [];
    const { counters, time } = processes(1, 300, () => new Promise((resolve) => held.push(resolve)));
    const call = () => counters[0]!('ws');
    const first = call();
    const releaseAll = async () => {
      for (let n = 0; n < 3; n += 1) {
        for (const release of held.splice(0)) release();
        await nextTurn();
      }
    };
    await releaseAll();
    expect(await first).to.include({ remaining: 299 });
    const late = [call(), call(), call()];
    time.now = WINDOW_MS;
    const next = call();
    await releaseAll();
    await Promise.all(late);
    // The late report of three is counted in the new window.
    expect(await next).to.include({ isAdmitted: true });
    expect((await call()).remaining).to.equal(295);
  });

  it('starts again with the next window', async () => {
    const { counters, time } = processes(1, 2);
    for (const isAdmitted of [true, true, false]) expect(await counters[0]!('ws')).to.include({ isAdmitted });
    time.now = WINDOW_MS;
    expect(await counters[0]!('ws')).to.include({ isAdmitted: true, remaining: 1 });
  });
});
