import { NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { fillChunk } from '../../src/fan-out/fill-chunk.js';
import { many } from './a-fan-out.js';
import { anOpenEvent } from './events.js';

describe('fillChunk', () => {
  it('ends a chunk after as many filtered deliveries as its limit, over all events of a page', () => {
    const subscribers = many(600)
      .map((endpoint) => subscriberOf({ ...endpoint, filter: '{}' }))
      .sort((one, other) => (one.id < other.id ? -1 : 1));
    const page = { after: null, subscribers, isLast: true, upToArrival: 1, readAt: 0 };
    const events = [anOpenEvent(), anOpenEvent(), anOpenEvent()];
    let compared = 0;
    const matches = () => {
      compared += 1;
      return false;
    };
    const limits = { rows: 500, bytes: 1_000_000, filtered: 1_000 };
    const chunk = fillChunk([{ workspaceId: WORKSPACE_ID, events, page }], limits, { now: NOON, matches });
    expect([compared, chunk.isFull]).to.deep.equal([1_000, true]);
    expect(chunk.pieces.map(({ event, after }) => [event, after])).to.deep.equal([
      [events[0], subscribers[599]!.id],
      [events[1], subscribers[399]!.id],
    ]);
  });
});
