import { type ApiWorld, newId } from '../api-world.js';

/** A member, and what was reported about an endpoint. */
export async function insertDemoPeople(
  { database: { collections }, workspace }: ApiWorld,
  failing: { readonly id: string; readonly url: string },
): Promise<void> {
  const workspaceId = workspace.id;
  await collections.members.insertOne({
    _id: newId('member'),
    workspaceId,
    email: 'ada@example.com',
    role: 'member',
  });
  await collections.notifications.insertOne({
    _id: newId('notification'),
    workspaceId,
    kind: 'endpoint_disabled',
    message: `The webhook endpoint at ${failing.url} was disabled after 20 consecutive failures (the last one: HTTP 503). Repair it, then enable it again.`,
    endpointId: failing.id as never,
    data: { consecutiveFailures: 20 },
    createdAt: new Date(),
  });
}
