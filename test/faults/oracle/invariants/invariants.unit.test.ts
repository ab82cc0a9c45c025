import { expect } from 'chai';
import {
  attempt,
  audit,
  DELIVERY,
  delivery,
  ENDPOINT,
  endpoint,
  failures,
  post,
  replayAudit,
  SENT_AT,
  type SnapshotParts,
  snapshot,
  violated,
  violatedAtEnd,
} from '../builders.js';

const SECOND = { id: 'whd_2', hash: 'second' };
const NOTHING = { deliveries: [], attempts: [] };
const closing = (ordinal: number) =>
  attempt({ ordinal, status: 'failed_permanent', failureReason: 'endpoint_disabled' });

describe('oracle', () => {
  it('reports nothing for a correct run', () => {
    expect(violated({})).to.deep.equal([]);
    expect(violatedAtEnd({})).to.deep.equal([]);
  });

  it('reports nothing for a failed delivery that waits for its retry', () => {
    const received = [post(), post({ at: SENT_AT + 1_000 })];
    expect(violated({ now: snapshot(failures(2)), received })).to.deep.equal([]);
  });
});

describe('oracle, I1: nothing is lost', () => {
  it('reports an event without a delivery', () => {
    expect(violatedAtEnd({ now: snapshot(NOTHING), received: [] })).to.deep.equal(['I1']);
  });

  it('reports a delivery that is unfinished at the end', () => {
    expect(violatedAtEnd({ now: snapshot(failures(1)) })).to.deep.equal(['I1']);
  });

  it('reports a delivered delivery without a POST, or with an unanswered one', () => {
    expect(violatedAtEnd({ received: [] })).to.deep.equal(['I1']);
    expect(violatedAtEnd({ received: [post({ answer: null })] })).to.deep.equal(['I1']);
  });

  it('reports an accepted replay without a delivery', () => {
    const replay = { kind: 'replay', deliveryId: 'whd_9', sentAt: SENT_AT, answeredAt: SENT_AT } as const;
    const now = snapshot({ audits: [audit(), replayAudit('whd_9')] });
    expect(violatedAtEnd({ sends: [replay], now })).to.deep.equal(['I1']);
  });

  const change = (action: string, createdAt: number) =>
    audit({ id: 'aud_2', action: `webhook_endpoint.${action}`, targetId: ENDPOINT, createdAt });
  const UNEXPECTED: Record<string, SnapshotParts> = {
    'was created shortly before': { endpoints: [endpoint({ createdAt: SENT_AT - 4_000 })] },
    'was changed shortly before': { audits: [audit(), change('updated', SENT_AT - 3_000)] },
    'was disabled before': { audits: [audit(), change('disabled', SENT_AT - 60_000)] },
    'subscribes to other events': { endpoints: [endpoint({ eventTypes: ['billing.plan_changed'] })] },
  };
  for (const [how, parts] of Object.entries(UNEXPECTED))
    it(`expects no delivery for an endpoint that ${how}`, () => {
      const now = snapshot({ ...NOTHING, ...parts });
      expect(violatedAtEnd({ now, received: [] })).to.deep.equal([]);
    });
});

describe('oracle, I2: deliveries and attempts', () => {
  const eight = Array.from({ length: 8 }, (_, index) => attempt({ ordinal: index + 1 }));
  const otherAttempt = attempt({ deliveryId: 'whd_2' });
  const REPORTED: Record<string, SnapshotParts> = {
    'a gap in the ordinals': {
      deliveries: [delivery({ attempts: 2 })],
      attempts: [attempt(), attempt({ ordinal: 3 })],
    },
    'two closing records': {
      deliveries: [delivery({ status: 'failed_permanent', failureReason: 'endpoint_disabled' })],
      attempts: [attempt(), closing(2), closing(3)],
    },
    'more than seven attempts': { deliveries: [delivery({ attempts: 8 })], attempts: eight },
    'two deliveries of an event to an endpoint': {
      deliveries: [delivery(), delivery(SECOND)],
      attempts: [attempt(), otherAttempt],
    },
    'an attempt without a delivery': { attempts: [attempt(), otherAttempt] },
  };
  for (const [what, parts] of Object.entries(REPORTED))
    it(`reports ${what}`, () => expect(violated({ now: snapshot(parts) })).to.include('I2'));

  it('reports an attempt that was changed or removed', () => {
    const changed = snapshot({ attempts: [attempt({ hash: 'other' })] });
    expect(violatedAtEnd({ before: changed })).to.deep.equal(['I2']);
    const removed = snapshot({ attempts: [attempt(), attempt({ ordinal: 2 })] });
    expect(violatedAtEnd({ before: removed })).to.deep.equal(['I2']);
  });
});

describe('oracle, I6: replays', () => {
  it('reports a replay whose payload differs', () => {
    const now = snapshot({
      deliveries: [delivery(), delivery({ ...SECOND, replayedFrom: DELIVERY, payloadHash: 'other' })],
      attempts: [attempt(), attempt({ deliveryId: 'whd_2' })],
      audits: [audit(), replayAudit('whd_2')],
    });
    const received = [post(), post({ deliveryId: 'whd_2' })];
    expect(violatedAtEnd({ now, received })).to.deep.equal(['I6']);
  });
});

describe('oracle, I10: POSTs', () => {
  const exitAt = (at: number) => ({ disruptions: [{ at, kind: 'exit' } as const] });

  it('reports a POST that does not verify, or whose body differs from an earlier one', () => {
    expect(violatedAtEnd({ received: [post({ verified: false })] })).to.deep.equal(['I10']);
    const received = [post(), post({ bodyHash: 'other' })];
    expect(violatedAtEnd({ received, conditions: exitAt(SENT_AT + 60) })).to.deep.equal(['I10']);
  });

  const SECOND_POST: Record<string, [Parameters<typeof post>[0], string[]]> = {
    'accepts a POST that matches its delivery': [{}, []],
    'reports a POST without a stored delivery': [{ deliveryId: 'whd_9' }, ['I10']],
    'reports a POST to another endpoint': [{ path: '/other' }, ['I10']],
    'reports a POST of another event': [{ content: { deliveryId: DELIVERY, tokenId: 'tok_2' } }, ['I10']],
    'reports a POST with the id of another delivery': [
      { content: { deliveryId: 'whd_9', tokenId: 'tok_1' } },
      ['I10'],
    ],
    'reports a POST with an unreadable body': [{ content: null }, ['I10']],
  };
  for (const [name, [differences, expected]] of Object.entries(SECOND_POST))
    it(name, () => {
      const received = [post(), post({ at: SENT_AT + 60, ...differences })];
      expect(violated({ received, conditions: exitAt(SENT_AT + 55) })).to.deep.equal(expected);
    });

  it('expects no delivery for a POST after the snapshot, or after retention removed it', () => {
    const later = post({ deliveryId: 'whd_9', at: SENT_AT + 61_000 });
    expect(violated({ received: [post(), later] })).to.deep.equal([]);
    const received = [post(), post({ deliveryId: 'whd_9' })];
    expect(violated({ received, conditions: { retentionMs: 1_000 } })).to.deep.equal([]);
  });
});
