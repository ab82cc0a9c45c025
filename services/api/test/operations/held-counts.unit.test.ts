import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { anEndpoint, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createCountHeld } from '../../src/operations/held-counts.js';

const MAX_TOGETHER = 50_000;
const SINCE = later(60_000);

describe('counts of held deliveries', () => {
  /** How much is held for each endpoint, by id. */
  let held: Map<string, number>;
  /** How much each query counts at most. */
  let counted: number[];
  beforeEach(() => {
    held = new Map();
    counted = [];
  });

  const disabled = (n: number, rows: number, holding: Partial<Endpoint['holding']> = {}): Endpoint => {
    const endpoint = anEndpoint({
      id: idFor('endpoint', `${n}`),
      enabled: false,
      disabledReason: 'operator',
      disabledAt: SINCE,
      holding: { since: SINCE, rows, missed: 0, ...holding },
    });
    held.set(endpoint.id, rows);
    return endpoint;
  };
  const createCount = () =>
    createCountHeld({
      clock: { now: () => NOON },
      deliveries: {
        countHeld: async (periods: readonly { endpointId: string }[], atMost: number) => {
          counted.push(periods.length * atMost);
          return new Map(periods.map(({ endpointId: id }) => [id, Math.min(held.get(id) ?? 0, atMost)]));
        },
      } as never,
    });
  const countsOf = async (endpoints: readonly Endpoint[], count = createCount()) => {
    const found = await count(endpoints);
    return endpoints.map(({ id }) => found.get(id));
  };

  it('are exact up to 10,000 for a few endpoints, whatever fan-out counted', async () => {
    const rows = [0, 1, 9_999, 10_000, 12_000];
    const endpoints = rows.map((count, n) => disabled(n, count, { rows: 20_000 }));
    expect(await countsOf(endpoints)).to.deep.equal([0, 1, 9_999, 10_000, 10_000]);
  });

  it('read a bounded number of keys for a page of disabled endpoints', async () => {
    const endpoints = Array.from({ length: 200 }, (_, n) => disabled(n, 10_000));
    await countsOf(endpoints);
    expect(counted).to.have.length(1);
    expect(counted[0]).to.be.at.most(MAX_TOGETHER);
  });

  it('of many endpoints are exact up to 250, and beyond what fan-out counted in the period', async () => {
    const rows = Array.from({ length: 200 }, (_, n) => n * 60);
    const endpoints = rows.map((count, n) => disabled(n, count));
    const expected = rows.map((count) => Math.min(count, 10_000));
    expect(await countsOf(endpoints)).to.deep.equal(expected);
  });

  it('of many endpoints are never below what was counted', async () => {
    const endpoints = Array.from({ length: 200 }, (_, n) =>
      disabled(n, 300, n % 2 === 0 ? { since: NOON, rows: 9_000 } : { rows: 3 }),
    );
    expect(await countsOf(endpoints)).to.deep.equal(endpoints.map(() => 250));
  });

  it('of one endpoint are counted again after those of a page', async () => {
    const endpoints = Array.from({ length: 200 }, (_, n) => disabled(n, 300, { rows: 0 }));
    const count = createCount();
    await countsOf(endpoints, count);
    expect(await countsOf(endpoints.slice(0, 1), count)).to.deep.equal([300]);
  });

  it('are those of disabled endpoints alone', async () => {
    expect(await countsOf([anEndpoint()])).to.deep.equal([undefined]);
  });
});
