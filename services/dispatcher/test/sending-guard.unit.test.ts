import { mock } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createMetrics } from '@postrider/shared/metrics/metrics';
import type { Platform } from '@postrider/shared/platform/platform';
import { expect } from 'chai';
import type { Config } from '../src/config.js';
import { startSendingGuard } from '../src/sending-guard.js';
import { aLog } from './engine/builders.js';

describe('sending guard', () => {
  let guard: ReturnType<typeof startSendingGuard>;
  /** How far the database's clock is ahead of the machine's, in milliseconds. */
  let ahead: number;
  let log: ReturnType<typeof aLog>;
  let resumed: number;
  /** What is stored about the clock; null if nothing is. */
  let stored: { readonly clockHeldSince: Date } | null;
  const outageGuards = {
    updateOne: async (_filter: object, { $set }: { readonly $set: { readonly clockHeldSince: Date } }) => {
      stored = $set;
    },
    deleteOne: async () => {
      stored = null;
    },
  };

  beforeEach(() => {
    mock.timers.enable({ apis: ['setInterval'] });
    ahead = 0;
    resumed = 0;
    stored = null;
    log = aLog();
    const config = { OUTAGE_GUARD: false, OUTAGE_GUARD_REFERENCES: [] as readonly string[] } as Config;
    const clock = { now: () => new Date(Date.now() + ahead) };
    guard = startSendingGuard({
      config,
      platform: { database: { collections: { outageGuards } }, clock } as unknown as Platform,
      reaches: async () => true,
      metrics: createMetrics('dispatcher', '0'),
      monotonicMs: () => performance.now(),
      log,
    });
    guard.onAllowed(() => {
      resumed += 1;
    });
  });
  afterEach(() => {
    guard.stop();
    mock.timers.reset();
  });

  it('allows no POST from the moment at which the clocks differ, between two comparisons, too', () => {
    expect(guard.allowance()).to.equal(Number.POSITIVE_INFINITY);
    for (const skewMs of [-61_000, 61_000]) {
      ahead = skewMs;
      expect(guard.allowance()).to.equal(0);
      ahead = 0;
      expect(guard.allowance()).to.equal(Number.POSITIVE_INFINITY);
    }
    expect(log.lines).to.deep.equal([
      'error clock.holding',
      'warn clock.agreed',
      'error clock.holding',
      'warn clock.agreed',
    ]);
  });

  it('reports and resumes without any POST', () => {
    ahead = 300_000;
    mock.timers.tick(10_000);
    expect(log.lines).to.deep.equal(['error clock.holding']);
    ahead = 0;
    mock.timers.tick(10_000);
    expect(log.lines.at(-1)).to.equal('warn clock.agreed');
    expect(resumed).to.equal(1);
  });

  it('stores since when the clocks have differed, until they agree', async () => {
    ahead = 300_000;
    expect(guard.allowance()).to.equal(0);
    await turn();
    const since = stored?.clockHeldSince;
    expect(since?.getTime()).to.be.closeTo(Date.now() + ahead, 1_000);
    mock.timers.tick(10_000);
    await turn();
    expect(stored).to.deep.include({ holding: false, clockHeldSince: since });
    ahead = 0;
    mock.timers.tick(10_000);
    await turn();
    expect(stored).to.equal(null);
  });
});
