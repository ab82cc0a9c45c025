import { setTimeout as sleep } from 'node:timers/promises';
import { poll } from '#dev/processes/poll';
import type { Step } from '../fault.js';
import { type World, withAdmin } from '../world/world.js';
import { DEAD_LETTERS, DELIVERIES, RETRY_TOPICS } from './kafka.js';

const UNKNOWN = {
  version: 1,
  deliveryId: 'whd_0000000000000000000000000',
  endpointId: 'whe_0000000000000000000000000',
  workspaceId: 'ws_0000000000000000000000000',
  ordinal: 1,
  traceId: '0'.repeat(32),
};
const UNREADABLE: Readonly<Record<string, readonly (string | Buffer)[]>> = {
  ...Object.fromEntries(
    [DELIVERIES, `${RETRY_TOPICS[1]}`, DEAD_LETTERS].map((topic) => [
      topic,
      ['{"version":1,', 'null', JSON.stringify({ ...UNKNOWN, version: 9 })],
    ]),
  ),
  'workspace.events': [Buffer.from([7, 0, 0, 0, 1]), Buffer.from([0, 127, 0, 0, 1]), Buffer.alloc(2)],
};
const ROUNDS = 10;
const FUTURE_TOKEN = 'tok_fromthefuture';
const soon = (what: string) => ({ everyMs: 500, timeoutMs: 30_000, what });

/** Sends unreadable messages, messages with unknown ids, and one event of a later schema version. */
export const poison: Step = async (world) => {
  const producer = world.kafka.producer({ allowAutoTopicCreation: false });
  const send = (topic: string, value: string | Buffer) => {
    const message = {
      key: `poison ${world.random.next()}`,
      value,
      headers: { ce_type: 'api_token.created' },
    };
    return producer.send({ topic: `${world.topicPrefix}${topic}`, messages: [message] });
  };
  await producer.connect();
  await send('workspace.events', await futureEvent(world));
  let unreadable = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [topic, values] of Object.entries(UNREADABLE)) {
      for (const value of values) await send(topic, value);
      if (topic !== 'workspace.events') await send(topic, JSON.stringify(UNKNOWN));
      unreadable += values.length;
    }
    await sleep(1_000);
  }
  await producer.disconnect();
  await poll(
    async () => (await quarantined(world)) === unreadable || undefined,
    soon(`the quarantine of ${unreadable} messages`),
  );
  await poll(async () => {
    const row = await world.db.collection('deliveries').findOne({ 'payload.tokenId': FUTURE_TOKEN });
    return (row !== null && !('invented' in row.payload)) || undefined;
  }, soon('a delivery of the event with a later schema'));
};

/** Registers a later version of a schema, with another field. @returns an event of that version */
async function futureEvent(world: World): Promise<Buffer> {
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
  const event = {
    eventId: 'evt_fromthefuture',
    occurredAt: new Date().toISOString(),
    workspaceId: String(workspace?._id),
    tokenId: FUTURE_TOKEN,
    name: 'from the future',
    scopes: ['read'],
    invented: 'later',
  };
  const header = Buffer.alloc(5);
  header.writeInt32BE(id, 1);
  return Buffer.concat([header, Buffer.from(JSON.stringify(event))]);
}

async function quarantined(world: World): Promise<number> {
  const topic = `${world.topicPrefix}webhook.quarantine`;
  const offsets = await withAdmin(world.kafka, (admin) => admin.fetchTopicOffsets(topic));
  return offsets.reduce((sum, { offset }) => sum + Number(offset), 0);
}
