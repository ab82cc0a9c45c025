import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import type { Role } from '@postrider/shared/domain/member';
import { DEFAULT_REPLAY_STATUSES, newReplayJob } from '@postrider/shared/domain/replay-job';
import { toDocument } from '@postrider/shared/mongo/documents';
import type { CreatedApiToken } from '../../src/contract/api-token.js';
import type { StartedConformanceCheck } from '../../src/contract/conformance-check.js';
import type { CreatedInvitation } from '../../src/contract/invitation.js';
import type { CreatedPortalLink } from '../../src/contract/portal-link.js';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, newId } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';

export const WEBHOOK = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };

const ALL_FAILURES = {
  endpointId: null,
  statuses: DEFAULT_REPLAY_STATUSES,
  eventTypes: null,
  failureReasons: null,
  createdAfter: new Date(0),
  createdBefore: new Date(),
  includeReplayed: false,
};

/** Creates resources for requests; each call creates a new one in the world's workspace. */
export type Resources = ReturnType<typeof createResources>;

export function createResources(world: ApiWorld, admin: ApiClient) {
  const { collections } = world.database;
  const workspaceId = world.workspace.id;
  let count = 0;
  const email = () => `thing-${++count}@example.com`;

  const endpoint = async (facts: { enabled?: boolean } = {}) =>
    (await admin.request<Webhook>('/webhooks', { body: { ...WEBHOOK, ...facts } })).body.id;
  const deletedEndpoint = async () => {
    const id = await endpoint();
    await admin.request(`/webhooks/${id}`, { method: 'DELETE' });
    return id;
  };
  const delivery = async (status: DeliveryStatus, endpointId?: string) => {
    const owner = endpointId ?? (await endpoint());
    return (await storedDelivery(world, { endpointId: owner, status })).id;
  };
  const member = async (role: Role, address = email()) => {
    const id = newId('member');
    await collections.members.insertOne({ _id: id, workspaceId, email: address, role });
    return id;
  };
  const theOwner = async () =>
    (await collections.members.findOne({ workspaceId, role: 'owner' }))?._id ?? member('owner');
  const token = async () => {
    const body = { name: 'thing', scopes: ['read'] };
    return (await admin.request<CreatedApiToken>('/api-tokens', { body })).body.id;
  };
  const portalLink = async () =>
    (await admin.request<CreatedPortalLink>('/portal-links', { body: {} })).body.id;
  const invitation = async () => {
    const body = { email: email(), role: 'member' };
    return (await admin.request<CreatedInvitation>('/invitations', { body })).body;
  };
  const acceptedInvitation = async () => {
    const created = await invitation();
    const { acceptToken } = created;
    await admin.request(`/invitations/${created.id}/accept`, { body: { acceptToken } });
    return created;
  };
  /** @returns a function that restores the quota */
  const fullQuota = async (kind: 'endpoints' | 'tokens') => {
    await (kind === 'endpoints' ? endpoint() : token());
    const set = (quotas: object) =>
      collections.workspaces.updateOne({ _id: workspaceId }, { $set: { quotas } });
    await set({ [kind]: 1 });
    return () => set({});
  };
  /** A stored job that no process runs: its lease is another's. */
  const replayJob = async (status: 'counting' | 'succeeded') => {
    const at = world.clock.now();
    const job = newReplayJob({
      id: newId('replayJob'),
      workspaceId,
      actor: { type: 'api_token', id: 'tok_0' },
      traceId: 'a'.repeat(32),
      filter: ALL_FAILURES,
      dryRun: false,
      ratePerSecond: 1,
      createdAt: at,
    });
    const leaseUntil = new Date(at.getTime() + 3_600_000);
    const row = { ...toDocument(job), status };
    const lease = status === 'counting' ? { leaseHolder: 'another', leaseUntil } : {};
    await collections.replayJobs.insertOne({ ...row, ...lease });
    return job.id;
  };
  const conformanceCheck = async () => {
    const endpointId = await endpoint();
    const path = `/webhooks/${endpointId}/conformance-checks`;
    const { body } = await admin.request<StartedConformanceCheck>(path, { method: 'POST', body: undefined });
    return { endpointId, checkId: body.checkId };
  };
  const endReplayJobs = async () => {
    const ended = { $set: { status: 'cancelled' as const }, $unset: { leaseUntil: 1 as const } };
    await collections.replayJobs.updateMany({}, ended);
  };
  return {
    fullQuota,
    replayJob,
    endReplayJobs,
    conformanceCheck,
    email,
    endpoint,
    deletedEndpoint,
    delivery,
    member,
    theOwner,
    token,
    portalLink,
    invitation,
    acceptedInvitation,
  };
}
