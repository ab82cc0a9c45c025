import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verify } from '@postrider/client';
import { createPartitioner } from '@postrider/shared/kafka/partition-of';
import { EVENTS_TOPIC } from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TopicReader, topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import { PATHS } from '#dev/start/paths';
import { type System, startSystem } from '../system.js';
import { PRODUCERS } from './producers.js';

/** Go and Java compile first, on a busy machine. */
const WITHIN_MS = 600_000;
/** A zero byte and the schema's id. */
const WIRE_BYTES = 5;

async function partitionsOf({ kafka, names }: System['world'], topic: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  const { topics } = await admin.fetchTopicMetadata({ topics: [names.full(topic)] });
  await admin.disconnect();
  return topics[0]!.partitions.length;
}

describe('the producers in the guide to publishing', function () {
  this.timeout(WITHIN_MS);
  let system: System;
  let secret: string;
  let workspaceId: string | undefined;
  let events: TopicReader;
  before(async () => {
    system = await startSystem({}, ['api', 'dispatcher']);
    await system.admin(['catalogue', 'apply', PATHS.eventTypes]);
    const { client, receiver, world } = system;
    const body = { url: `${receiver.url}/hooks`, eventTypes: ['invoice.*'] };
    // A type of the catalogue is known after some seconds; a prefix may be subscribed to at once.
    const { id } = await client.call<{ id: string }>('POST', '/webhooks', body);
    ({ secret } = await client.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`));
    workspaceId = (await world.database.collections.workspaces.findOne({ slug: 'acme' }))?._id;
    events = await topicReader(world, EVENTS_TOPIC);
  });
  after(async () => {
    await events?.stop();
    await system?.stop();
  });

  for (const [file, find] of Object.entries(PRODUCERS)) {
    it(`${file} publishes an event that arrives, signed`, async function () {
      const command = await find();
      if (command === null) {
        console.log(`      skipped: the tool that runs ${file} is not installed`);
        return this.skip();
      }
      const { world, env, receiver } = system;
      const { program, args, cwd } = command;
      const variables = { TOPIC: world.names.full('workspace.events'), WORKSPACE_ID: `${workspaceId}` };
      const { stdout } = await promisify(execFile)(program, args, {
        cwd,
        env: { ...process.env, ...env, ...variables },
      });
      const eventId = stdout.trim();
      expect(eventId).to.match(/^evt_[0-9a-hjkmnp-tv-z]{26}$/);
      await eventually(() => {
        const request = receiver.received.find(({ body }) => body.includes(eventId));
        expect(request, 'the delivery').to.not.equal(undefined);
        const delivery = verify({ secret, headers: request!.headers, body: request!.body });
        expect(delivery.payload).to.include({ eventId, workspaceId, invoiceId: 'in_4f9k2', amount: 4200 });
      }, 30_000);
      const message = await eventually(() => {
        const found = events.records.find(({ value }) => value?.includes(eventId));
        expect(found, 'the message').to.not.equal(undefined);
        return found!;
      });
      expect(message.partition, 'that of all events of the workspace').to.equal(
        createPartitioner(await partitionsOf(world, EVENTS_TOPIC))(`${workspaceId}`),
      );
      const { occurredAt } = JSON.parse(`${message.value?.subarray(WIRE_BYTES)}`);
      expect(message.headers).to.deep.equal({
        ce_specversion: '1.0',
        ce_id: eventId,
        ce_type: 'invoice.paid',
        ce_source: `/workspaces/${workspaceId}`,
        ce_time: occurredAt,
        'content-type': 'application/json',
      });
    });
  }
});
