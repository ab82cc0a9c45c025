import type { StatusCounts } from '@postrider/shared/ports/housekeeping';
import { NOON } from '@postrider/shared/testing/builders';
import { aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import type { Call } from '../../src/operations/call.js';
import type { Deps } from '../../src/operations/deps.js';
import { getWorkspaceOverview } from '../../src/operations/get-workspace-overview.js';

const MAX_AGE_MS = 15_000;

describe('getWorkspaceOverview', () => {
  /** An overview whose counts take this long, by a clock that only they and `pass` move. */
  const overviewThatTakes = (takesMs: { endpoints: number; deliveries: number }) => {
    let now = NOON;
    const pass = (ms: number) => {
      now = new Date(now.getTime() + ms);
    };
    let counts = 0;
    let enabled = 1;
    const endpoints = {
      count: async () => {
        pass(takesMs.endpoints);
        return { enabled, disabled: 0 };
      },
    };
    const deliveries = {
      countByStatus: async () => {
        counts += 1;
        const delivered = counts;
        await Promise.resolve();
        pass(takesMs.deliveries);
        return {
          pending: 0,
          delivered,
          failed: 0,
          failed_permanent: 0,
          dead_lettered: 0,
          held: 0,
        } satisfies StatusCounts;
      },
    };
    const read = getWorkspaceOverview({
      endpoints,
      deliveries,
      clock: { now: () => now },
    } as unknown as Deps);
    const call = { workspace: aWorkspace() } as unknown as Call;
    return {
      pass,
      takesMs,
      counts: () => counts,
      enable: (all: number) => {
        enabled = all;
      },
      enabled: async () => (await read(call)).endpoints.enabled,
      /** @returns the age of the counts at the time of the answer */
      ageMs: async () => {
        const { asOf } = await read(call);
        return now.getTime() - Date.parse(asOf);
      },
    };
  };

  // Regression: the age counted from the end of the count.
  it('returns counts that began at most 15 s ago, however long they took', async () => {
    const overview = overviewThatTakes({ endpoints: 0, deliveries: 2_000 });
    expect(await overview.ageMs()).to.equal(2_000);
    overview.pass(MAX_AGE_MS - 2_000 + 1);
    expect(await overview.ageMs()).to.equal(2_000);
    expect(overview.counts()).to.equal(2);
  });

  it('counts again if the counts become too old while the endpoints are counted', async () => {
    const overview = overviewThatTakes({ endpoints: 0, deliveries: 1_000 });
    await overview.ageMs();
    overview.pass(6_000 - 1_000);
    overview.takesMs.endpoints = MAX_AGE_MS - 6_000 + 1;
    expect(await overview.ageMs()).to.be.at.most(MAX_AGE_MS);
  });

  it('shares one count among concurrent requests', async () => {
    const overview = overviewThatTakes({ endpoints: 0, deliveries: 1_000 });
    await Promise.all([overview.ageMs(), overview.ageMs(), overview.ageMs()]);
    expect(overview.counts()).to.equal(1);
  });

  it('counts the endpoints for each request if there are at most 10,000', async () => {
    const overview = overviewThatTakes({ endpoints: 0, deliveries: 0 });
    overview.enable(10_000);
    expect(await overview.enabled()).to.equal(10_000);
    overview.enable(9_999);
    expect(await overview.enabled()).to.equal(9_999);
  });

  // Each request would cost the database 20 ms of CPU with 100,000 endpoints.
  it('counts more endpoints once a second', async () => {
    const overview = overviewThatTakes({ endpoints: 20, deliveries: 0 });
    overview.enable(100_000);
    expect(await overview.enabled()).to.equal(100_000);
    overview.enable(100_001);
    overview.pass(999);
    expect(await overview.enabled()).to.equal(100_000);
    overview.pass(1);
    expect(await overview.enabled()).to.equal(100_001);
  });
});
