import { setTimeout as wait } from 'node:timers/promises';
import type { World } from '../world/world.js';

const QUEUES = ['webhook.deliveries', 'webhook.deliveries.retry.2', 'webhook.deliveries.dlq'];
const UNKNOWN = {
  version: 1,
  deliveryId: 'whd_0000000000000000000000000',
  endpointId: 'whe_0000000000000000000000000',
  workspaceId: 'ws_0000000000000000000000000',
  ordinal: 1,
  traceId: '0'.repeat(32),
};
const ROUNDS = 10;
const WITHIN_MS = 30_000;

/**
 * Puts what nobody can understand between the messages, and one event of a later schema version.
 *
 * @throws Error when not all of it came into quarantine, or the event did not reach the endpoints
 */
export async function poison(world: World): Promise<void> {
  const full = (topic: string) => `${world.topicPrefix}${topic}`;
  const producer = world.kafka.producer({ allowAutoTopicCreation: false });
  await producer.connect();
  const send = (topic: string, value: string | Buffer) =>
    producer.send({
      topic: full(topic),
      messages: [{ key: `poison ${world.random.next()}`, value, headers: { ce_type: 'api_token.created' } }],
    });
  const tokenId = await sendFromTheFuture(world, send);
  let senseless = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const topic of QUEUES) {
      for (const value of ['{"version":1,', 'null', JSON.stringify({ ...UNKNOWN, version: 9 })]) {
        await send(topic, value);
        senseless += 1;
      }
      await send(topic, JSON.stringify(UNKNOWN));
    }
    for (const value of [Buffer.from([7, 0, 0, 0, 1]), Buffer.from([0, 127, 0, 0, 1]), Buffer.alloc(2)]) {
      await send('workspace.events', value);
      senseless += 1;
    }
    await wait(1_000);
  }
  await producer.disconnect();
  await untilTrue(
    `${senseless} messages in quarantine`,
    async () => (await quarantined(world)) === senseless,
  );
  await untilTrue('a delivery of the event from the future', async () => {
    const row = await world.db.collection('deliveries').findOne({ 'payload.tokenId': tokenId });
    return row !== null && !('invented' in row.payload);
  });
}

/** An event with a field that a later version of its schema has. @returns the token that it tells of */
async function sendFromTheFuture(
  world: World,
  send: (topic: string, value: Buffer) => Promise<unknown>,
): Promise<string> {
  const url = `${world.servers.registryUrl}/subjects/${world.topicPrefix}workspace.events-api_token.created/versions`;
  const { schema } = (await (await fetch(`${url}/latest`)).json()) as { schema: string };
  const later = JSON.parse(schema);
  later.properties.invented = { type: 'string' };
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schemaType: 'JSON', schema: JSON.stringify(later) }),
  });
  if (!answer.ok) throw new Error(`the registry refuses the later schema: ${await answer.text()}`);
  const { id } = (await answer.json()) as { id: number };
  const workspace = await world.db.collection('workspaces').findOne();
  const tokenId = 'tok_fromthefuture';
  const event = {
    eventId: 'evt_fromthefuture',
    occurredAt: new Date().toISOString(),
    workspaceId: String(workspace?._id),
    tokenId,
    name: 'from the future',
    scopes: ['read'],
    invented: 'later',
  };
  const header = Buffer.alloc(5);
  header.writeInt32BE(id, 1);
  await send('workspace.events', Buffer.concat([header, Buffer.from(JSON.stringify(event))]));
  return tokenId;
}

async function quarantined(world: World): Promise<number> {
  const admin = world.kafka.admin();
  await admin.connect();
  const offsets = await admin.fetchTopicOffsets(`${world.topicPrefix}webhook.quarantine`);
  await admin.disconnect();
  return offsets.reduce((sum, { offset }) => sum + Number(offset), 0);
}

async function untilTrue(what: string, holds: () => Promise<boolean>): Promise<void> {
  const until = Date.now() + WITHIN_MS;
  while (!(await holds())) {
    if (Date.now() > until) throw new Error(`there were not ${what}`);
    await wait(500);
  }
}
