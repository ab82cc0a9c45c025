import { expect } from 'chai';
import { DELIVERY_STATUSES, isTerminal, newDelivery } from '../../src/domain/delivery.js';
import { DELIVERY_ID, ENDPOINT_ID, idFor, NOON, TRACE_ID, WORKSPACE_ID } from '../../src/testing/builders.js';

const facts = {
  id: DELIVERY_ID,
  workspaceId: WORKSPACE_ID,
  endpointId: ENDPOINT_ID,
  eventType: 'webhook.test_event',
  payload: { message: 'hello' },
  traceId: TRACE_ID,
  createdAt: NOON,
  dueAt: NOON,
} as const;

describe('newDelivery', () => {
  it('creates a pending row that is due immediately and has no attempts', () => {
    expect(newDelivery(facts)).to.deep.equal({
      ...facts,
      status: 'pending',
      failureReason: null,
      attempts: 0,
      nextAttemptAt: null,
      replayedFrom: null,
      lastAttempt: null,
      failingSince: null,
    });
  });

  it('links a replay to its source', () => {
    const replayedFrom = idFor('delivery', 'source');
    expect(newDelivery({ ...facts, replayedFrom }).replayedFrom).to.equal(replayedFrom);
  });
});

describe('delivery status, section 3.1', () => {
  const which = (test: (delivery: { status: (typeof DELIVERY_STATUSES)[number] }) => boolean) =>
    DELIVERY_STATUSES.filter((status) => test({ status }));

  it('is terminal if no further attempt will be made', () => {
    expect(which(isTerminal)).to.deep.equal(['delivered', 'failed_permanent', 'dead_lettered']);
  });
});
