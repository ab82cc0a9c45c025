import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { anEndpoint, later, NOON } from '@postrider/shared/testing/builders';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { aFanOut, HELD_PER_ENDPOINT } from './a-fan-out.js';
import { aReadEvent } from './events.js';

describe('fan-out for a disabled endpoint', () => {
  const disabledAt = later(-1_000);
  const disabled = (overrides: Partial<Endpoint> = {}) =>
    anEndpoint({
      enabled: false,
      disabledAt,
      enabledSince: later(-60_000),
      ...overrides,
    } as Partial<Endpoint>);
  const events = (count: number) =>
    Array.from({ length: count }, (_, index) => aReadEvent({ name: `${index}` }));
  const holding = ({ stores, fanOut }: ReturnType<typeof aFanOut>) =>
    fanOut.quiesce(1_000).then(() => [...stores.endpoints.values()][0]?.holding);

  it('stores held rows with their records and publishes nothing', async () => {
    const world = aFanOut([disabled()]);
    await world.add(aReadEvent());
    const [row] = world.rows.values();
    expect(row).to.deep.include({
      status: 'failed_permanent',
      failureReason: 'endpoint_disabled',
      attempts: 0,
      dueAt: null,
      heldSince: disabledAt,
    });
    expect(
      [...world.stores.attempts.values()].map(({ ordinal, attemptedAt }) => [ordinal, attemptedAt]),
    ).to.deep.equal([[1, NOON]]);
    expect([world.sent, world.handedOver]).to.deep.equal([[], []]);
    expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 1, missed: 0 });
  });

  it('stores no more than the limit and counts the others as missed', async () => {
    const world = aFanOut([disabled()]);
    await Promise.all(events(5).map((event) => world.add(event)));
    await world.add(aReadEvent({ name: 'later' }));
    expect(world.rows.size).to.equal(HELD_PER_ENDPOINT);
    expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 3, missed: 3 });
  });

  // Regression: a stop waited for as long as the database did not answer, and did not leave its groups meanwhile.
  it('ends a stop although the counts are not being stored', async () => {
    const stores = createInMemoryStores();
    const countHeld = () => new Promise<never>(() => undefined);
    const world = aFanOut([disabled()], { ...stores, fanOut: { ...stores.fanOut, countHeld } });
    await world.add(aReadEvent());
    await world.fanOut.quiesce(0);
  });

  it('continues counting where another process was', async () => {
    const world = aFanOut([disabled({ holding: { since: disabledAt, rows: 2, missed: 7 } })]);
    await Promise.all(events(2).map((event) => world.add(event)));
    expect(world.rows.size).to.equal(1);
    expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 3, missed: 8 });
  });

  // Regression: a process whose partition had been another one's meanwhile counted on from its own last figure.
  it('counts what another process counted meanwhile', async () => {
    const world = aFanOut([disabled()]);
    await world.add(aReadEvent({ name: 'first' }));
    const [endpoint] = world.stores.endpoints.values();
    world.stores.endpoints.set(endpoint!.id, {
      ...endpoint!,
      holding: { since: disabledAt, rows: 3, missed: 5 },
    });
    await world.add(aReadEvent({ name: 'second' }));
    expect(world.rows.size).to.equal(1);
    expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 4, missed: 6 });
  });

  it('counts a row once when its event is handled again', async () => {
    const world = aFanOut([disabled()]);
    await world.add(aReadEvent());
    await world.add(aReadEvent());
    expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: 1, missed: 0 });
  });

  // Regression: an event that waited for a damaged endpoint was missed again each time that it was fanned out again.
  it('counts an event as missed once when it is fanned out again for a damaged endpoint', async () => {
    const world = aFanOut([disabled()]);
    const all = events(HELD_PER_ENDPOINT + 1);
    await Promise.all(all.map((event) => world.add(event)));
    for (const event of [...all, ...all]) await world.add(event, { isRepeated: true });
    expect(await holding(world)).to.deep.equal({ since: disabledAt, rows: HELD_PER_ENDPOINT, missed: 1 });
  });

  it('stores nothing until every process understands held rows', async () => {
    const world = aFanOut([disabled()]);
    world.mayHold = false;
    await world.add(aReadEvent());
    expect([world.rows.size, await holding(world)]).to.deep.equal([0, undefined]);
  });
});
