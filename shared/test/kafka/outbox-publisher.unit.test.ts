import { expect } from 'chai';
import { createOutboxPublisher } from '../../src/kafka/outbox-publisher.js';
import { deliveryRecord, eventRecord } from '../../src/outbox/record.js';
import { NotPublished, type OutboxRecord } from '../../src/ports/outbox.js';
import { NotAppended, type OutgoingMessage, RecordRefused } from '../../src/ports/queue.js';
import { aDelivery, TRACE_ID } from '../../src/testing/builders.js';
import { anEvent } from '../event-builders.js';

describe('outbox publisher', () => {
  const [good, bad] = [anEvent('api_token.revoked'), anEvent('api_token.created')].map((event) =>
    eventRecord(event, TRACE_ID),
  ) as [OutboxRecord, OutboxRecord];
  let sent: OutgoingMessage[];
  let failure: Error;
  const encode = async (subject: string) => {
    if (subject === bad.subject) throw failure;
    return Buffer.from(`encoded as ${subject}`);
  };
  const publish = createOutboxPublisher(async (messages) => void sent.push(...messages), { encode });
  beforeEach(() => {
    sent = [];
    failure = new RangeError('no such schema');
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
    failure = new RecordRefused('does not match its schema');
    const error = await publish([good, bad]).catch((reason: unknown) => reason);
    expect(error).to.equal(failure);
    expect(sent).to.deep.equal([]);
  });

  // Regression: while the registry lacked one schema, the events of all workspaces waited.
  it('publishes the others of a batch when some cannot be encoded now, and names those', async () => {
    const error = await publish([bad, good]).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(NotPublished)
      .and.to.deep.include({ ids: new Set([bad.id]), cause: failure });
    expect(sent.map(({ topic, key }) => [topic, key])).to.deep.equal([[good.topic, good.key]]);
  });

  it('names the records that could not be appended, and those that cannot be encoded', async () => {
    const partly = createOutboxPublisher(
      async () => {
        throw new NotAppended(new Set([1]), { cause: new Error('no leader') });
      },
      { encode },
    );
    const left = { ...good, id: 'left' };
    const error = await partly([bad, good, left]).catch((reason: unknown) => reason);
    expect(error)
      .to.be.instanceOf(NotPublished)
      .and.to.deep.include({ ids: new Set([bad.id, left.id]) });
  });
});
