import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Db } from 'mongodb';
import { Webhook } from 'standardwebhooks';
import { type System, startSystem } from './system.js';

/** Copies every collection, as a backup and its restore under another name do. Indexes are left to the migration. */
async function copyDatabase(from: Db, to: string): Promise<void> {
  for (const { name } of await from.listCollections().toArray())
    await from
      .collection(name)
      .aggregate([{ $out: { db: to, coll: name } }])
      .toArray();
}

describe('a database that is restored beside an empty broker', () => {
  let system: System;
  let restored: Readonly<Record<string, string>>;
  const database = () => system.world.database;
  const nameOfCopy = () => `${database().db.databaseName}_restored`;
  before(async () => {
    system = await startSystem({}, ['api']);
    const { world } = system;
    const uri = new URL(world.env.MONGODB_URI!);
    uri.pathname = `/${nameOfCopy()}`;
    restored = {
      ...system.env,
      MONGODB_URI: uri.href,
      TOPIC_PREFIX: `${world.env.TOPIC_PREFIX}restored.`,
      TOPIC_PARTITIONS: '2',
      TOPIC_REPLICATION_FACTOR: '1',
    };
  });
  after(async () => {
    await system?.stopService('api');
    await system?.stopService('dispatcher');
    await database().client.db(nameOfCopy()).dropDatabase();
    await system?.stop();
  });

  it('sends what was pending under its old identifier, with the old secret, and serves old tokens', async () => {
    const { client, receiver } = system;
    const hook = { url: receiver.url, eventTypes: ['api_token.created'] };
    const { id } = await client.call<{ id: string }>('POST', '/webhooks', hook);
    const { secret } = await client.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`);
    const { deliveryId } = await client.call<{ deliveryId: string }>('POST', `/webhooks/${id}/test-event`);
    await system.stopService('api');
    await copyDatabase(database().db, nameOfCopy());

    await system.admin(['migrate'], restored);
    const [api] = await Promise.all([system.start('api', restored), system.start('dispatcher', restored)]);
    const posted = await eventually(() => {
      const found = receiver.received.find((post) => post.id === deliveryId);
      expect(found, deliveryId).to.not.equal(undefined);
      return found!;
    });
    const signed = posted.headers as Record<string, string>;
    expect(new Webhook(secret).verify(posted.body, signed)).to.include({ deliveryId });

    const there = client.at(`http://127.0.0.1:${api.port}`);
    const token = await there.call<{ id: string }>('POST', '/api-tokens', { name: 'new', scopes: ['read'] });
    await eventually(() =>
      expect(receiver.received.map(({ body }) => body.toString()).join()).to.include(token.id),
    );
    expect(await system.admin(['verify'], restored)).to.match(/^No differences/m);
  });
});
