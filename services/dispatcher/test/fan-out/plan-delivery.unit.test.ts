import type { Endpoint } from '@postrider/shared/domain/endpoint';
import { deliveryIdOf } from '@postrider/shared/domain/id';
import { aDelivery, anEndpoint, ENDPOINT_ID, idFor, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createMatchFilters } from '../../src/fan-out/match-filters.js';
import { planDelivery } from '../../src/fan-out/plan-delivery.js';
import { aReadEvent, PAYLOAD } from './events.js';

const INSERTED = later(250);
const plan = (endpoint: Endpoint, event = aReadEvent()) =>
  planDelivery(event, { endpoint, since: NOON }, { dueAt: INSERTED, matchFilter: createMatchFilters() });

describe('planDelivery', () => {
  it('creates a row that is due at the time of the insert and dated by the event', () => {
    const id = deliveryIdOf({ eventId: PAYLOAD.eventId, occurredAt: NOON }, ENDPOINT_ID);
    expect(plan(anEndpoint())).to.deep.equal({
      kind: 'delivery',
      row: aDelivery({ id, payload: PAYLOAD, createdAt: NOON, dueAt: INSERTED }),
      checks: 0,
    });
  });

  it('creates the same row each time and another one for each event and endpoint', () => {
    const other = anEndpoint({ id: idFor('endpoint', 'second') });
    const ids = [
      plan(anEndpoint()),
      plan(anEndpoint()),
      plan(other),
      plan(anEndpoint(), aReadEvent({ name: 'another' })),
    ].map((planned) => (planned?.kind === 'delivery' ? planned.row.id : null));
    expect(ids[1]).to.equal(ids[0]);
    expect(new Set(ids).size).to.equal(3);
  });

  it('plans a held delivery with the same id for a disabled endpoint, and nothing for a deleted one', () => {
    const holding = { since: NOON, rows: 3, missed: 0 };
    const planned = plan(anEndpoint({ enabled: false, disabledAt: NOON, holding }));
    const id = deliveryIdOf({ eventId: PAYLOAD.eventId, occurredAt: NOON }, ENDPOINT_ID);
    expect(planned?.kind === 'held' && planned.held.row).to.deep.include({ id, heldSince: NOON });
    expect(planned?.kind === 'held' && planned.held).to.deep.include({ holding });
    expect(plan(anEndpoint({ deletedAt: later(-1) }))).to.equal(null);
  });

  it('leaves out what the filter of an endpoint does not match, also while it is disabled', () => {
    const filter = (plan_: string) => JSON.stringify({ plan: [plan_] });
    const disabled = { enabled: false, disabledAt: NOON };
    expect(plan(anEndpoint({ filter: filter('free') }))?.kind).to.equal('filtered');
    expect(plan(anEndpoint({ filter: filter('free'), ...disabled }))?.kind).to.equal('filtered');
    expect(plan(anEndpoint({ filter: filter(PAYLOAD.plan) }))?.kind).to.equal('delivery');
    expect(plan(anEndpoint({ filter: null }))?.kind).to.equal('delivery');
    expect(plan(anEndpoint({ filter: filter('free'), deletedAt: later(-1) }))).to.equal(null);
  });

  it('matches fields of the envelope, too', () => {
    const filter = JSON.stringify({ eventId: [PAYLOAD.eventId] });
    expect(plan(anEndpoint({ filter }))?.kind).to.equal('delivery');
  });
});
