import { expect } from 'chai';
import { createOutboxPublisher } from '../../src/kafka/outbox-publisher.js';
import { deliveryRecord, eventRecord } from '../../src/outbox/record.js';
import type { OutboxRecord } from '../../src/ports/outbox.js';
import type { OutgoingMessage } from '../../src/ports/queue.js';
import { aDelivery, TRACE_ID } from '../../src/testing/builders.js';
import { anEvent } from '../event-builders.js';

describe('outbox publisher', () => {
  const [good, bad] = [anEvent('api_token.revoked'), anEvent('api_token.created')].map((event) =>
    eventRecord(event, TRACE_ID),
  ) as [OutboxRecord, OutboxRecord];
  let sent: OutgoingMessage[];
  const encode = async (subject: string) => {
    if (subject === bad.subject) throw new RangeError('no such schema');
    return Buffer.from(`encoded as ${subject}`);
  };
  const publish = createOutboxPublisher(async (messages) => void sent.push(...messages), { encode });
  beforeEach(() => {
    sent = [];
  });

  it('encodes records with a subject and publishes others as plain JSON', async () => {
    const delivery = deliveryRecord(aDelivery());
    await publish([good, delivery]);
    const partOf = ({ topic, key, headers }: OutboxRecord) => ({ topic, key, headers });
    expect(sent).to.deep.equal([
      { ...partOf(good), value: Buffer.from('encoded as workspace.events-api_token.revoked') },
      { ...partOf(delivery), value: JSON.stringify(delivery.value) },
    ]);
  });

  it('publishes nothing of a batch with an invalid record', async () => {
    const error = await publish([good, bad]).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(RangeError);
    expect(sent).to.deep.equal([]);
  });
});
