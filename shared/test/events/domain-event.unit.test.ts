import { expect } from 'chai';
import { domainEvent } from '../../src/events/domain-event.js';
import { NOON } from '../../src/testing/builders.js';

describe('domainEvent', () => {
  it('puts event id, time and workspace before the fields of the event type', () => {
    const event = domainEvent({
      type: 'billing.plan_changed',
      id: 'evt_1',
      workspace: { id: 'ws_1', slug: 'acme' },
      occurredAt: NOON,
      own: { previousPlan: 'free', plan: 'team' },
    });
    expect(event).to.deep.equal({
      type: 'billing.plan_changed',
      workspaceSlug: 'acme',
      payload: {
        eventId: 'evt_1',
        occurredAt: '2026-03-02T12:00:00.000Z',
        workspaceId: 'ws_1',
        previousPlan: 'free',
        plan: 'team',
      },
    });
  });
});
