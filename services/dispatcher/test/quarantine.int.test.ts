import { startBatchConsumer } from '@postrider/shared/kafka/batch-consumer';
import type { ReadRecord } from '@postrider/shared/kafka/read-record';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, QUARANTINE_TOPIC } from '@postrider/shared/ports/topics';
import { createFailpoints } from '@postrider/shared/runtime/failpoints';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { type DispatcherWorld, dispatcherWorld } from './dispatcher-world.js';

describe('dispatcher with unreadable messages', () => {
  let here: DispatcherWorld;
  const quarantined: ReadRecord[] = [];
  let stopReading: () => Promise<void>;
  before(async () => {
    here = await dispatcherWorld();
    const reader = await startBatchConsumer({
      ...here.world,
      sessionTimeoutMs: 6_000,
      crashBefore: createFailpoints([]),
      groupId: 'test',
      topic: QUARANTINE_TOPIC,
      handle: async (records) => {
        quarantined.push(...records);
      },
      fail: (reason) => {
        throw new Error(reason);
      },
    });
    stopReading = reader.stop;
  });
  after(async () => {
    await stopReading?.();
    await here?.stop();
  });

  const send = (topic: string, value: string | Buffer, headers: Record<string, string> = {}) =>
    here.publisher.publish([{ topic, key: 'poison', value, headers }]);
  const reasonFor = (value: string | Buffer) =>
    eventually(() => {
      const found = quarantined.find((record) => record.value?.equals(Buffer.from(value)));
      expect(found, 'the quarantined message').to.not.equal(undefined);
      return found!.headers.reason;
    });

  const wire = (id: number, json: string) => {
    const head = Buffer.alloc(5);
    head.writeUInt32BE(id, 1);
    return Buffer.concat([head, Buffer.from(json)]);
  };

  for (const [what, value, reason] of [
    ['an event with a wrong magic byte', Buffer.from([9, 0, 0, 0, 1, 123, 125]), /magic byte/],
    ['an event that is shorter than its header', Buffer.from('{}'), /shorter/],
    [
      'an event whose schema the registry does not know',
      wire(987_654, '{}'),
      /987654|404|No (content|schema)|not found/i,
    ],
  ] as const) {
    it(`puts ${what} into quarantine`, async () => {
      await send(EVENTS_TOPIC, value, { ce_type: 'billing.plan_changed' });
      expect(await reasonFor(value)).to.match(reason);
    });
  }

  for (const [what, value, reason] of [
    ['broken JSON', '{"deliveryId', 'the value is not JSON'],
    ['a message of an unknown version', '{"version":2}', 'version 2 is unknown'],
    [
      'a message without an ordinal',
      '{"version":1,"deliveryId":"whd_1"}',
      'ordinal is not a positive integer',
    ],
  ] as const) {
    it(`puts ${what} on the delivery topic into quarantine`, async () => {
      await send(DELIVERIES_TOPIC, value);
      expect(await reasonFor(value)).to.equal(reason);
    });
  }

  it('puts an event from the future into quarantine', async () => {
    const before = quarantined.length;
    await here.changePlan(new Date(Date.now() + 10 * 60_000));
    await eventually(() =>
      expect(quarantined.slice(before).map(({ headers }) => headers.reason)).to.match(/in the future/),
    );
  });

  it('continues to deliver from the same partitions', async () => {
    const endpointId = await here.endpoint('after');
    await here.changePlan();
    await eventually(async () => expect(await here.row(endpointId)).to.include({ status: 'delivered' }));
  });
});
