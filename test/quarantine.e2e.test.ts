import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deliveryIdOf, idOf } from '@postrider/shared/domain/id';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { frame } from '@postrider/shared/kafka/wire-format';
import { EVENTS_TOPIC, QUARANTINE_TOPIC } from '@postrider/shared/ports/topics';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { eventually } from '@postrider/shared/testing/eventually';
import { topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { type System, startSystem } from './system.js';

const TYPE = 'invoice.paid';

describe('events that were quarantined', () => {
  let system: System;
  before(async () => {
    system = await startSystem({}, ['api', 'dispatcher']);
  });
  after(() => system?.stop());

  /** Stores the type with these currencies. */
  async function allow(...currencies: string[]): Promise<void> {
    const file = join(tmpdir(), `currencies-${process.pid}.yaml`);
    const type = {
      name: TYPE,
      description: 'An invoice was paid.',
      schema: { type: 'object', properties: { currency: { type: 'string', enum: currencies } } },
      examples: [{ currency: 'EUR' }],
    };
    writeFileSync(file, stringify({ eventTypes: [type] }));
    await system.admin(['catalogue', 'apply', file]);
    rmSync(file);
  }

  async function schemaId(): Promise<number> {
    const { SCHEMA_REGISTRY_URL, TOPIC_PREFIX } = system.world.env;
    const subject = `${TOPIC_PREFIX}${EVENTS_TOPIC}-${TYPE}`;
    const answer = await fetch(`${SCHEMA_REGISTRY_URL}/subjects/${subject}/versions/latest`);
    return ((await answer.json()) as { id: number }).id;
  }

  it('are delivered once, under the derived id, however often they are published again', async () => {
    await allow('EUR');
    const { client, receiver, world } = system;
    const body = { url: `${receiver.url}/hooks`, eventTypes: ['invoice.*'] };
    const endpoint = await client.call<{ id: string }>('POST', '/webhooks', body);
    const workspaceId = (await world.database.collections.workspaces.findOne({ slug: 'acme' }))!._id;
    const publisher = await connectPublisher(world.kafka, world.names);
    const publish = async (currency: string) => {
      const occurredAt = new Date();
      const eventId = idOf('event', occurredAt, randomTail());
      const event = { eventId, occurredAt: occurredAt.toISOString(), workspaceId, currency };
      const value = frame(await schemaId(), JSON.stringify(event));
      await publisher.publish([{ topic: EVENTS_TOPIC, key: workspaceId, value, headers: { ce_type: TYPE } }]);
      return { eventId, deliveryId: deliveryIdOf({ eventId, occurredAt }, endpoint.id as never) };
    };
    const arrived = () => receiver.received.map(({ headers }) => headers['webhook-id']);

    const quarantine = await topicReader(world, QUARANTINE_TOPIC);
    const refused = await publish('USD');
    await eventually(() => expect(quarantine.records).to.have.length(1), 30_000);
    await quarantine.stop();
    expect(arrived()).to.deep.equal([]);

    await allow('EUR', 'USD');
    expect(await system.admin(['quarantine', 'republish'])).to.match(
      new RegExp(`^${refused.eventId} ${TYPE} ${workspaceId} `),
    );
    await eventually(() => expect(arrived()).to.deep.equal([refused.deliveryId]), 30_000);

    expect(await system.admin(['quarantine', 'republish'])).to.include(refused.eventId);
    // It follows in the same partition, so the copy was handled before it.
    const later = await publish('EUR');
    await eventually(() => expect(arrived()).to.include(later.deliveryId), 30_000);
    expect(arrived()).to.deep.equal([refused.deliveryId, later.deliveryId]);
    await publisher.close();
  });
});
