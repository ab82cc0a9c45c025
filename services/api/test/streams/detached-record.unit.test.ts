import type { PartitionRecord } from '@postrider/shared/kafka/partition-reader';
import { frame } from '@postrider/shared/kafka/wire-format';
import { idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { detachedBytes, detachRecord } from '../../src/streams/detached-record.js';
import { createEventReader, OUTCOME_READER } from '../../src/streams/stream-record-readers.js';

const EVENT = {
  eventId: idFor('event', 'plan changed'),
  occurredAt: NOON.toISOString(),
  workspaceId: WORKSPACE_ID,
  previousPlan: 'free',
  plan: 'team',
};
const OUTCOME = { workspaceId: WORKSPACE_ID, deliveryId: 'del_1', endpointId: 'whe_1', eventType: 'a.b' };

function aRecord(value: object, type: string, ...otherTypes: readonly string[]): PartitionRecord {
  return {
    ...{ partition: 1, offset: 2, timestamp: 3, key: Buffer.from(WORKSPACE_ID) },
    value: frame(1, JSON.stringify(value)),
    headers: {
      ce_type:
        otherTypes.length === 0 ? Buffer.from(type) : [type, ...otherTypes].map((one) => Buffer.from(one)),
      ce_id: Buffer.alloc(1_000),
    },
  };
}

describe('detached record', () => {
  const events = createEventReader({
    catalogue: fixedCatalogue(),
    monotonicMs: () => 0,
    sleep: async () => {},
  });
  for (const [name, reader, record] of [
    ['an event', events, aRecord(EVENT, 'billing.plan_changed')],
    ['an outcome', OUTCOME_READER, aRecord(OUTCOME, 'delivery.created')],
    // Regression: streams showed no event with several types, of which fan-out takes the first.
    ['an event with two types', events, aRecord(EVENT, 'billing.plan_changed', 'made.up')],
  ] as const)
    it(`of ${name} is read as the record`, () => {
      const read = reader.read(record, 0);
      expect(read.shown).not.to.equal(null);
      const detached = detachRecord(record);
      record.value!.fill(0);
      record.key!.fill(0);
      expect(reader.read(detached, 0)).to.deep.equal(read);
      expect(detached).to.include({ partition: 1, offset: 2, timestamp: 3 });
    });

  it('has the memory of its own key and value alone, and counts it', () => {
    const record = aRecord(EVENT, 'billing.plan_changed');
    const { key, value } = record;
    const detached = detachRecord(record);
    const bytes = key!.length + value!.length;
    expect(detached.key!.buffer).to.equal(detached.value!.buffer);
    expect(detached.value!.buffer.byteLength).to.equal(bytes);
    expect(detachedBytes(detached)).to.be.within(bytes, bytes + 1_024);
  });

  it('may have neither key nor value', () => {
    const detached = detachRecord({ ...aRecord({}, ''), key: null, value: null, headers: {} });
    expect([detached.key, detached.value]).to.deep.equal([null, null]);
    expect(detachedBytes(detached)).to.be.above(0);
    expect(OUTCOME_READER.read(detached, 0).shown).to.equal(null);
  });
});
