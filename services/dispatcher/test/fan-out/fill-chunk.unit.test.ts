import type { SubscribedEndpoint } from '@postrider/shared/domain/endpoint';
import { EVENT_TYPES } from '@postrider/shared/domain/event-type';
import { later, NOON } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { expect } from 'chai';
import { fillChunk } from '../../src/fan-out/fill-chunk.js';
import { indexSubscribers } from '../../src/fan-out/index-subscribers.js';
import { many } from './a-fan-out.js';
import { aLane, anOpenEvent } from './events.js';

/** Endpoints with a filter, in order of identifier. */
const filtered = (count: number) =>
  many(count)
    .map((endpoint) => subscriberOf({ ...endpoint, filter: '{}' }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));

const aPage = (subscribers: readonly SubscribedEndpoint[]) => {
  const subscribersOf = indexSubscribers(subscribers, EVENT_TYPES);
  return { after: null, subscribers, subscribersOf, isLast: true, upToArrival: 1, readAt: 0 };
};

describe('fillChunk', () => {
  it('ends a chunk after as many checks of filters as its limit, over all events of a page', () => {
    const subscribers = filtered(600);
    const page = aPage(subscribers);
    const events = [anOpenEvent(), anOpenEvent(), anOpenEvent()];
    let compared = 0;
    const matchFilter = () => {
      compared += 1;
      return { matches: false, checks: 1_000 };
    };
    const limits = { rows: 500, rowsEach: 100, bytes: 1_000_000, checks: 1_000_000 };
    const chunk = fillChunk([aLane({ events, page })], limits, {
      dueAt: NOON,
      matchFilter,
    });
    expect(chunk.isFull).to.equal(true);
    expect(compared).to.be.within(950, 1_000);
    expect(chunk.pieces.map(({ event, after }) => [event, after])).to.deep.equal([
      [events[0], subscribers[599]!.id],
      [events[1], subscribers[compared - 601]!.id],
    ]);
  });

  it('counts the checks of deliveries that match, too', () => {
    const matchFilter = () => ({ matches: true, checks: 1_000 });
    const limits = { rows: 500, rowsEach: 100, bytes: 1_000_000, checks: 3_500 };
    const lane = aLane({ page: aPage(filtered(10)) });
    const { pieces, isFull } = fillChunk([lane], limits, { dueAt: NOON, matchFilter });
    expect([pieces[0]?.rows.length, isFull]).to.deep.equal([4, true]);
  });

  it('ends a chunk that looks at many subscribers which are owed nothing', () => {
    const subscribers = filtered(500).map((endpoint) => ({ ...endpoint, enabledSince: later(60_000) }));
    const events = Array.from({ length: 500 }, () => anOpenEvent());
    const limits = { rows: 500, rowsEach: 100, bytes: 1_000_000, checks: 250_000 };
    const matchFilter = () => ({ matches: true, checks: 0 });
    const lane = aLane({ events, page: aPage(subscribers) });
    const { pieces, isFull } = fillChunk([lane], limits, { dueAt: NOON, matchFilter });
    expect(isFull).to.equal(true);
    expect(pieces).to.have.length.within(10, 50);
    expect(pieces.every(({ rows, isLast }) => rows.length === 0 && isLast)).to.equal(true);
  });

  it('does not look at subscribers of other types', () => {
    let looked = 0;
    const subscribers = filtered(500).map((endpoint, index) => {
      const others = endpoint.subscriptions.filter(({ eventType }) => eventType !== 'billing.plan_changed');
      const subscriptions = index === 7 ? endpoint.subscriptions : others;
      return Object.defineProperty({ ...endpoint, subscriptions }, 'deletedAt', {
        get() {
          looked += 1;
          return null;
        },
      });
    });
    const limits = { rows: 500, rowsEach: 100, bytes: 1_000_000, checks: 250_000 };
    const matchFilter = () => ({ matches: true, checks: 0 });
    const events = Array.from({ length: 100 }, () => anOpenEvent());
    const lane = aLane({ events, page: aPage(subscribers) });
    const { pieces } = fillChunk([lane], limits, { dueAt: NOON, matchFilter });
    expect([pieces.length, looked]).to.deep.equal([100, 100]);
    expect(pieces.every(({ rows, after }) => rows.length === 1 && after === subscribers.at(-1)?.id)).to.equal(
      true,
    );
  });
});
