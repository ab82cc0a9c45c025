import { readConfig } from '@postrider/api/config';
import { startApi } from '@postrider/api/service';
import { type Client, createClient } from '@postrider/client';
import { idOf } from '@postrider/shared/domain/id';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { createLog } from '@postrider/shared/runtime/log';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { PATHS } from '#dev/start/paths';
import { openWorkspace, runAdmin } from '#dev/start/run-admin';

export type FuzzedApi = Awaited<ReturnType<typeof startFuzzedApi>>;

/** The path parameters for which a resource exists. */
export const FUZZED_PARAMETERS = [
  'slug',
  'endpointId',
  'deliveryId',
  'checkId',
  'memberId',
  'invitationId',
  'eventId',
  'jobId',
  'name',
] as const;
export type FuzzedParameters = Readonly<Record<(typeof FUZZED_PARAMETERS)[number], string>>;

const SLUG = 'fuzzed';

/** Starts an api with one resource of each kind, so that requests get past 404. Streams are off, because they do not end. */
export async function startFuzzedApi() {
  const world = await testWorld();
  await runAdmin(['catalogue', 'apply', PATHS.eventTypes], world.env);
  const log = createLog({ service: 'api', level: 'error', pretty: true });
  const api = await startApi(readConfig({ ...world.env, OUTCOMES: 'false' }), log);
  const origin = `http://127.0.0.1:${api.port}`;
  const token = await openWorkspace(SLUG, world.env);
  const client = createClient({ baseUrl: origin, workspace: SLUG, token });
  return {
    origin,
    token,
    parameters: await fill(client, world),
    async stop() {
      await api.stop();
      await world.destroy();
    },
  };
}

async function fill(client: Client, { database }: TestWorld): Promise<FuzzedParameters> {
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
  const { checkId } = await client.post('/webhooks/{endpointId}/conformance-checks', { params });
  const { eventId } = await client.post('/events', { body: { type: 'invoice.paid', data } });
  const job = { createdAfter: new Date(0).toISOString(), dryRun: true };
  const { jobId } = await client.post('/webhooks/replay-jobs', { body: job });
  const invited = { email: 'invited@example.com', role: 'viewer' as const };
  const { id: invitationId } = await client.post('/invitations', { body: invited });
  // Each of several owners can be removed.
  const memberId = idOf('member', new Date(), randomTail());
  const member = { workspaceId: `${workspaceId}`, email: 'another@example.com', role: 'owner' } as const;
  await database.collections.members.insertOne({ _id: memberId, ...member });
  const name = 'invoice.paid';
  return { slug: SLUG, endpointId, deliveryId, checkId, memberId, invitationId, eventId, jobId, name };
}
