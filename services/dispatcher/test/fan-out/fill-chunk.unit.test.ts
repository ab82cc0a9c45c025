import { NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { fillChunk } from '../../src/fan-out/fill-chunk.js';
import { many } from './a-fan-out.js';
import { anOpenEvent } from './events.js';

/** Endpoints with a filter, in order of identifier. */
const filtered = (count: number) =>
  many(count)
    .map((endpoint) => subscriberOf({ ...endpoint, filter: '{}' }))
    .sort((one, other) => (one.id < other.id ? -1 : 1));

describe('fillChunk', () => {
  it('ends a chunk after as many checks of filters as its limit, over all events of a page', () => {
    const subscribers = filtered(600);
    const page = { after: null, subscribers, isLast: true, upToArrival: 1, readAt: 0 };
    const events = [anOpenEvent(), anOpenEvent(), anOpenEvent()];
    let compared = 0;
    const matchFilter = () => {
      compared += 1;
      return { matches: false, checks: 100 };
    };
    const limits = { rows: 500, bytes: 1_000_000, checks: 100_000 };
    const chunk = fillChunk([{ workspaceId: WORKSPACE_ID, events, page }], limits, {
      now: NOON,
      matchFilter,
    });
    expect([compared, chunk.isFull]).to.deep.equal([1_000, true]);
    expect(chunk.pieces.map(({ event, after }) => [event, after])).to.deep.equal([
      [events[0], subscribers[599]!.id],
      [events[1], subscribers[399]!.id],
    ]);
  });

  it('counts the checks of deliveries that match, too', () => {
    const page = { after: null, subscribers: filtered(10), isLast: true, upToArrival: 1, readAt: 0 };
    const matchFilter = () => ({ matches: true, checks: 1_000 });
    const limits = { rows: 500, bytes: 1_000_000, checks: 3_500 };
    const lane = { workspaceId: WORKSPACE_ID, events: [anOpenEvent()], page };
    const { pieces, isFull } = fillChunk([lane], limits, { now: NOON, matchFilter });
    expect([pieces[0]?.rows.length, isFull]).to.deep.equal([4, true]);
  });
});
