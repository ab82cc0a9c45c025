import { randomBytes } from 'node:crypto';
import { newEndpoint } from '@postrider/shared/domain/endpoint';
import { idOf } from '@postrider/shared/domain/id';
import { formatSecret, SECRET_BYTES } from '@postrider/shared/domain/signing';
import { toDocument } from '@postrider/shared/mongo/documents';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { BENCH_EVENT_TYPE } from '../generator/make-event.js';
import type { World } from '../world/world.js';
import { grantAccess } from './grant-access.js';

/** A workspace with a token that may do everything, and endpoints. */
export interface OpenedWorkspace {
  readonly id: string;
  readonly slug: string;
  /** What the token's bearer sends. */
  readonly secret: string;
  readonly endpointIds: readonly string[];
}

/** @param endpoints how many */
export async function openWorkspace(world: World, endpoints: number): Promise<OpenedWorkspace> {
  const now = new Date();
  const slug = 'bench';
  const workspaceId = idOf('workspace', now, randomTail());
  const secret = await grantAccess(world, { id: workspaceId, slug });
  const sealing = createSecretBox([world.encryptionKey]);
  const documents = Array.from({ length: endpoints }, (_, index) => {
    const id = idOf('endpoint', now, randomTail());
    const endpoint = newEndpoint({
      id,
      workspaceId,
      url: `https://hooks.example.com/${index}`,
      description: null,
      eventTypes: [BENCH_EVENT_TYPE],
      enabled: true,
      secret: sealing.seal(formatSecret(randomBytes(SECRET_BYTES)), id),
      createdAt: now,
    });
    return toDocument(endpoint);
  });
  await world.database.collections.endpoints.insertMany(documents);
  return { id: workspaceId, slug, secret, endpointIds: documents.map(({ _id }) => _id).sort() };
}
