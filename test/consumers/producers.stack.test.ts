import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { verify } from '@postrider/client';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { PLACES } from '#dev/start/places';
import { type System, startSystem } from '../system.js';
import { PRODUCERS } from './producers.js';

/** Go and Java compile first, on a busy machine. */
const WITHIN_MS = 600_000;

describe('the producers in the guide to publishing', function () {
  this.timeout(WITHIN_MS);
  let system: System;
  let secret: string;
  let workspaceId: string | undefined;
  before(async () => {
    system = await startSystem({}, ['api', 'dispatcher']);
    await system.admin(['catalogue', 'apply', PLACES.eventTypes]);
    const { client, receiver, world } = system;
    const body = { url: `${receiver.url}/hooks`, eventTypes: ['invoice.*'] };
    // A type of the catalogue is known after some seconds; a prefix may be subscribed to at once.
    const { id } = await client.call<{ id: string }>('POST', '/webhooks', body);
    ({ secret } = await client.call<{ secret: string }>('POST', `/webhooks/${id}/rotate-secret`));
    workspaceId = (await world.database.collections.workspaces.findOne({ slug: 'acme' }))?._id;
  });
  after(() => system?.stop());

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
    });
  }
});
