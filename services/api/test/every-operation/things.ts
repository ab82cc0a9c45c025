import type { DeliveryStatus } from '@postrider/shared/domain/delivery';
import type { Role } from '@postrider/shared/domain/member';
import type { CreatedApiToken } from '../../src/contract/api-token.js';
import type { CreatedInvitation } from '../../src/contract/invitation.js';
import type { Webhook } from '../../src/contract/webhook.js';
import { type ApiWorld, newId } from '../api-world.js';
import { storedDelivery } from '../delivery-row.js';
import type { Door } from '../door.js';

export const WEBHOOK = { url: 'https://hooks.example.com/x', eventTypes: ['billing.plan_changed'] };

/** Creates resources for requests; each call creates a new one in the world's workspace. */
export type Things = ReturnType<typeof thingsIn>;

export function thingsIn(world: ApiWorld, admin: Door) {
  const { collections } = world.database;
  const workspaceId = world.workspace.id;
  let count = 0;
  const email = () => `thing-${++count}@example.com`;

  const endpoint = async (facts: { enabled?: boolean } = {}) =>
    (await admin.ask<Webhook>('/webhooks', { body: { ...WEBHOOK, ...facts } })).body.id;
  const deletedEndpoint = async () => {
    const id = await endpoint();
    await admin.ask(`/webhooks/${id}`, { method: 'DELETE' });
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
    return (await admin.ask<CreatedApiToken>('/api-tokens', { body })).body.id;
  };
  const invitation = async () => {
    const body = { email: email(), role: 'member' };
    return (await admin.ask<CreatedInvitation>('/invitations', { body })).body;
  };
  const acceptedInvitation = async () => {
    const made = await invitation();
    const { acceptToken } = made;
    await admin.ask(`/invitations/${made.id}/accept`, { body: { acceptToken } });
    return made;
  };
  return {
    email,
    endpoint,
    deletedEndpoint,
    delivery,
    member,
    theOwner,
    token,
    invitation,
    acceptedInvitation,
  };
}
