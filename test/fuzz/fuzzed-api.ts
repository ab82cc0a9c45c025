import { readConfig } from '@postrider/api/config';
import { startApi } from '@postrider/api/service';
import { type Client, createClient } from '@postrider/client';
import { idOf } from '@postrider/shared/domain/id';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { createLog } from '@postrider/shared/runtime/log';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { PLACES } from '#dev/start/places';
import { openWorkspace, runAdmin } from '#dev/start/run-admin';

export type FuzzedApi = Awaited<ReturnType<typeof startFuzzedApi>>;

const SLUG = 'fuzzed';

/** Starts an api with one resource of each kind, so that requests get past 404. Streams are off, because they do not end. */
export async function startFuzzedApi() {
  const world = await testWorld();
  await runAdmin(['catalogue', 'apply', PLACES.eventTypes], world.env);
  const log = createLog({ service: 'api', level: 'error', pretty: true });
  const api = await startApi(readConfig({ ...world.env, OUTCOMES: 'false' }), log);
  const origin = `http://127.0.0.1:${api.port}`;
  const token = await openWorkspace(SLUG, world.env);
  const client = createClient({ baseUrl: origin, workspace: SLUG, token });
  return {
    origin,
    slug: SLUG,
    token,
    ...(await fill(client, world)),
    async stop() {
      await api.stop();
      await world.destroy();
    },
  };
}

async function fill(client: Client, { database }: TestWorld) {
  const body = { url: 'https://hooks.example.com/fuzzed', eventTypes: ['billing.plan_changed' as const] };
  const { id: endpointId } = await client.post('/webhooks', { body });
  const params = { path: { endpointId } };
  const { deliveryId } = await client.post('/webhooks/{endpointId}/test-event', { params });
  // No dispatcher runs, so the delivery is ended here; a failed one can be replayed.
  await database.collections.deliveries.updateOne(
    { _id: deliveryId },
    { $set: { status: 'failed_permanent', failureReason: 'http_status' }, $unset: { dueAt: '' } },
  );
  const { workspaceId } = (await database.collections.endpoints.findOne({ _id: endpointId })) ?? {};
  const data = { invoiceId: 'in_1', customer: { id: 'cus_1' }, amount: 1, currency: 'EUR' };
  const { eventId } = await client.post('/events', { body: { type: 'invoice.paid', data } });
  const job = { createdAfter: new Date(0).toISOString(), dryRun: true };
  const { jobId } = await client.post('/webhooks/replay-jobs', { body: job });
  // Each of several owners can be removed.
  const memberId = idOf('member', new Date(), randomTail());
  const member = { workspaceId: `${workspaceId}`, email: 'another@example.com', role: 'owner' } as const;
  await database.collections.members.insertOne({ _id: memberId, ...member });
  return { endpointId, deliveryId, memberId, eventId, jobId, name: 'invoice.paid' };
}
