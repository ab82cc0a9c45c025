import { projectPayload } from '@postrider/shared/catalogue/project-payload';
import { expect } from 'chai';
import { eventIdOf, makeEvent } from './make-event.js';

describe('bench event', () => {
  const facts = {
    seed: 7,
    number: 3,
    workspace: { id: 'ws_0', slug: 'bench-0' },
    occurredAt: new Date(1_800_000_000_000),
    bodyBytes: 1_024,
  };
  const bodyOf = ({ type, payload }: ReturnType<typeof makeEvent>) =>
    JSON.stringify({ deliveryId: `whd_${'0'.repeat(26)}`, eventType: type, payload });

  for (const bodyBytes of [1_024, 16_384]) {
    it(`results in a POST of ${bodyBytes} bytes`, () => {
      expect(bodyOf(makeEvent({ ...facts, bodyBytes }))).to.have.length(bodyBytes);
    });
  }

  it('has a payload that fan-out accepts', () => {
    const { type, payload } = makeEvent(facts);
    expect(projectPayload(type, payload)).to.deep.equal({ payload });
  });

  it('has an id that follows from its number, time and generator', () => {
    expect(makeEvent(facts).payload.eventId).to.equal(eventIdOf(facts));
    const others = [
      { ...facts, number: 4 },
      { ...facts, seed: 8 },
      { ...facts, occurredAt: new Date(1_800_000_000_001) },
    ];
    expect(new Set([facts, ...others].map(eventIdOf)).size).to.equal(4);
  });
});
