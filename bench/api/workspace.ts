import { randomBytes } from 'node:crypto';
import { formatToken, hashToken, shownPrefix } from '@postrider/shared/domain/api-token';
import { newEndpoint } from '@postrider/shared/domain/endpoint';
import { type EndpointId, idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { formatSecret, SECRET_BYTES } from '@postrider/shared/domain/signing';
import { toDocument } from '@postrider/shared/mongo/documents';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import type { Namespace } from '../environment/namespace.js';
import { BENCH_EVENT_TYPE } from '../generator/make-event.js';

/** Stores a workspace and an admin token for it. @returns the bearer token */
export async function storeWorkspace(
  { database }: Namespace,
  { id, slug }: { readonly id: string; readonly slug: string },
): Promise<string> {
  const { workspaces, apiTokens } = database.collections;
  const now = new Date();
  const token = formatToken(randomBytes(32));
  await workspaces.insertOne({ _id: id, slug, name: slug, plan: 'business', createdAt: now, guard: 0 });
  await apiTokens.insertOne({
    _id: idOf('token', now, randomTail()),
    workspaceId: id,
    name: 'bench',
    scopes: ['admin'],
    hash: hashToken(token),
    prefix: shownPrefix(token),
    createdAt: now,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  });
  return token;
}

/** A stored workspace with endpoints. */
export interface StoredWorkspace {
  readonly id: WorkspaceId;
  readonly slug: string;
  readonly token: string;
  readonly endpointIds: readonly EndpointId[];
}

export async function storeWorkspaceWithEndpoints(
  namespace: Namespace,
  endpoints: number,
): Promise<StoredWorkspace> {
  const now = new Date();
  const workspace = { id: idOf('workspace', now, randomTail()), slug: 'bench' };
  const token = await storeWorkspace(namespace, workspace);
  const sealing = createSecretBox([namespace.encryptionKey]);
  const created = Array.from({ length: endpoints }, (_, index) => {
    const id = idOf('endpoint', now, randomTail());
    const endpoint = newEndpoint({
      id,
      workspaceId: workspace.id,
      url: `https://hooks.example.com/${index}`,
      description: null,
      eventTypes: [BENCH_EVENT_TYPE],
      enabled: true,
      secret: sealing.seal(formatSecret(randomBytes(SECRET_BYTES)), id),
      createdAt: now,
    });
    return endpoint;
  });
  await namespace.database.collections.endpoints.insertMany(created.map(toDocument));
  return { ...workspace, token, endpointIds: created.map(({ id }) => id).sort() };
}
