import { randomBytes } from 'node:crypto';
import { formatToken, hashToken, shownPrefix } from '@postrider/shared/domain/api-token';
import { idOf, type WorkspaceId } from '@postrider/shared/domain/id';
import { toDocument } from '@postrider/shared/mongo/documents';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { anApiToken, aWorkspace } from '@postrider/shared/testing/workspace-builders';
import type { Namespace } from '../environment/namespace.js';
import { createEndpoint } from '../environment/population.js';

/** Stores a workspace and an admin token for it. @returns the bearer token */
export async function storeWorkspace(
  { database }: Namespace,
  { id, slug }: { readonly id: WorkspaceId; readonly slug: string },
): Promise<string> {
  const { workspaces, apiTokens } = database.collections;
  const secret = formatToken(randomBytes(32));
  const token = anApiToken({
    id: idOf('token', new Date(), randomTail()),
    workspaceId: id,
    hash: hashToken(secret),
    prefix: shownPrefix(secret),
    createdAt: new Date(),
  });
  await workspaces.insertOne({ ...toDocument(aWorkspace({ id, slug, plan: 'business' })), guard: 0 });
  await apiTokens.insertOne(toDocument(token));
  return secret;
}

export type StoredWorkspace = Awaited<ReturnType<typeof storeWorkspaceWithEndpoints>>;

/** Stores a workspace with endpoints. */
export async function storeWorkspaceWithEndpoints(namespace: Namespace, endpoints: number) {
  const workspace = { id: idOf('workspace', new Date(), randomTail()), slug: 'bench' };
  const token = await storeWorkspace(namespace, workspace);
  const created = Array.from({ length: endpoints }, (_, index) =>
    createEndpoint(workspace.id, `https://hooks.example.com/${index}`, namespace.sealing),
  );
  await namespace.database.collections.endpoints.insertMany(created.map(toDocument));
  return { ...workspace, token, endpointIds: created.map(({ id }) => id).sort() };
}
