import { type HeldDelivery, heldDelivery } from '@postrider/shared/domain/delivery';
import { aDelivery, anEndpoint, ENDPOINT_ID, NOON } from '@postrider/shared/testing/builders';
import { subscriberOf } from '@postrider/shared/testing/endpoint-parts';
import { expect } from 'chai';
import type { Piece, PlannedRow } from '../../src/fan-out/fill-chunk.js';
import { splitByMatch } from '../../src/fan-out/split-by-match.js';
import { anOpenEvent, aReadEvent, PAYLOAD } from './events.js';

const pieceOf = (name: string, overrides: Partial<Piece> = {}): Piece => {
  const event = anOpenEvent({ event: aReadEvent({ name }) });
  return { event, rows: [], held: [], after: ENDPOINT_ID, isLast: true, damaged: null, ...overrides };
};
const aRow: PlannedRow = {
  row: aDelivery(),
  endpoint: subscriberOf(anEndpoint()),
  endpointReadAt: 0,
  bytes: 1,
};
const heldOf = ({ event: { event } }: Piece): HeldDelivery => {
  const { id, workspaceId, endpointId, eventType, traceId, createdAt } = aDelivery();
  const facts = { id, workspaceId, endpointId, eventType, traceId, createdAt, dueAt: NOON };
  return heldDelivery({ ...facts, payload: event.payload }, NOON);
};

describe('splitByMatch', () => {
  const split = (pieces: readonly Piece[], stored: readonly HeldDelivery[] = []) => {
    const { matched, unmatched } = splitByMatch(pieces, stored);
    return [matched.map(({ event }) => event.payload.eventId), unmatched.map(({ eventId }) => eventId)];
  };
  const idOf = ({ event }: Piece) => event.event.payload.eventId;

  it('distinguishes an event with a delivery from one that ended without any', () => {
    const [one, none] = [pieceOf('one', { rows: [aRow] }), pieceOf('none')];
    expect(split([one, none])).to.deep.equal([[idOf(one)], [idOf(none)]]);
    expect(splitByMatch([none], []).unmatched).to.deep.equal([
      {
        eventId: idOf(none),
        workspaceId: PAYLOAD.workspaceId,
        type: 'billing.plan_changed',
        occurredAt: NOON,
      },
    ]);
  });

  it('counts a held delivery that is stored, and none that is only counted', () => {
    const [stored, counted] = [pieceOf('stored'), pieceOf('counted')];
    expect(split([stored, counted], [heldOf(stored)])).to.deep.equal([[idOf(stored)], [idOf(counted)]]);
  });

  it('knows nothing yet of an event with further subscribers, a damaged one, or an earlier delivery', () => {
    const [damaged, matched] = [pieceOf('damaged'), pieceOf('matched')];
    damaged.event.completion.damaged = ENDPOINT_ID;
    matched.event.isMatched = true;
    expect(split([pieceOf('further', { isLast: false }), damaged, matched])).to.deep.equal([[], []]);
  });
});
