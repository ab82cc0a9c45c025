import type { StoredEventType } from '@postrider/shared/catalogue/event-type-definition';
import { createFreshCatalogue } from '@postrider/shared/catalogue/fresh-catalogue';
import { idOf } from '@postrider/shared/domain/id';
import { nextTurn } from '@postrider/shared/runtime/turns';
import { NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import type { Read } from '../../src/fan-out/event-intake.js';
import { createReadByCatalogue } from '../../src/fan-out/read-by-catalogue.js';

const inCurrencies = (currencies: readonly string[], more: object = {}): StoredEventType =>
  anEventType({
    schema: { type: 'object', properties: { currency: { enum: [...currencies] }, ...more } },
  });
const EUROS = inCurrencies(['EUR']);
const DOLLARS_TOO = inCurrencies(['EUR', 'USD']);
const WITH_NOTES = inCurrencies(['EUR'], { note: { type: 'string' } });

/** A process that knows the type as it was, while a change may be stored already. */
function aProcess(known: StoredEventType) {
  const catalogue = fixedCatalogue([known]);
  const world = { now: 0, reads: 0, stored: known };
  const refresh = async () => {
    world.reads += 1;
    const { stored } = world;
    await nextTurn();
    if (JSON.stringify(stored) !== JSON.stringify(catalogue.current().types.get(stored.name)?.definition))
      catalogue.set([stored]);
    return catalogue.current();
  };
  const pauses: (() => void)[] = [];
  const time = {
    monotonicMs: () => world.now,
    /** Ends at once if there is nothing to wait for, else by `pass`. */
    sleep: (ms: number) =>
      ms === 0 ? Promise.resolve() : new Promise<void>((resolve) => pauses.push(resolve)),
  };
  const view = { refresh };
  const fresh = createFreshCatalogue({ catalogue: view, ...time });
  const readByCatalogue = createReadByCatalogue({ catalogue: view, fresh, ...time });
  const read = (fields: object): Promise<Read> => {
    const eventId = idOf('event', NOON, Buffer.alloc(10));
    const value = { eventId, occurredAt: NOON.toISOString(), workspaceId: WORKSPACE_ID, ...fields };
    const type = catalogue.current().types.get('invoice.paid')!;
    return readByCatalogue(type, { headers: {}, value, now: NOON, traceIdOf: () => null });
  };
  const pass = (ms: number) => {
    world.now += ms;
    for (const resolve of pauses.splice(0)) resolve();
  };
  return Object.assign(world, { read, pass });
}
const payloadOf = (read: Read) => ('payload' in read ? read.payload : read);
const laterOf = (read: Read) => ('later' in read ? read.later() : Promise.reject(new Error('it is read')));

describe('reading an event by the catalogue', () => {
  it('accepts what only a newer definition allows', async () => {
    const world = aProcess(EUROS);
    world.stored = DOLLARS_TOO;
    expect(payloadOf(await world.read({ currency: 'USD' }))).to.include({ currency: 'USD' });
    expect(payloadOf(await world.read({ currency: 'USD' }))).to.include({ currency: 'USD' });
    expect(world.reads).to.equal(1);
  });

  it('rejects what the newest definition does not allow', async () => {
    const world = aProcess(EUROS);
    expect(await world.read({ currency: 'CHF' }))
      .to.have.property('problem')
      .that.includes('currency');
    expect(world.reads).to.equal(1);
  });

  it('reads the catalogue once a second for invalid events, and rejects none by an older one than its arrival', async () => {
    const world = aProcess(EUROS);
    await world.read({ currency: 'CHF' });
    const waiting = await Promise.all(Array.from({ length: 50 }, () => world.read({ currency: 'CHF' })));
    const accepted = await world.read({ currency: 'USD' });
    world.stored = DOLLARS_TOO;
    const outcomes = Promise.all([...waiting, accepted].map(laterOf));
    expect(world.reads).to.equal(1);
    world.pass(1_000);
    const all = await outcomes;
    expect(all.slice(0, 50).every((read) => 'problem' in read)).to.equal(true);
    expect(payloadOf(all[50]!)).to.include({ currency: 'USD' });
    expect(world.reads).to.equal(2);
  });

  it('keeps the fields that only a newer definition names', async () => {
    const world = aProcess(EUROS);
    world.stored = WITH_NOTES;
    const both = await Promise.all([world.read({ note: 'one' }), world.read({ note: 'two' })]);
    expect(both.map(payloadOf).map((payload) => (payload as { note?: string }).note)).to.deep.equal([
      'one',
      'two',
    ]);
  });

  it('lets no event wait because of fields that no definition names, and reads the catalogue once a second for them', async () => {
    const world = aProcess(EUROS);
    for (const _ of Array(20))
      expect(payloadOf(await world.read({ foreign: 1 }))).to.not.have.property('foreign');
    expect(world.reads).to.equal(1);
    world.pass(1_000);
    world.stored = WITH_NOTES;
    expect(payloadOf(await world.read({ note: 'one' }))).to.include({ note: 'one' });
    expect(world.reads).to.equal(2);
  });

  it('reads nothing for an event that has all of its fields', async () => {
    const world = aProcess(EUROS);
    await world.read({ currency: 'EUR' });
    expect(world.reads).to.equal(0);
  });
});
