import { randomBytes } from 'node:crypto';
import { asId, idOf } from '@postrider/shared/domain/id';
import { formatSecret, SECRET_BYTES } from '@postrider/shared/domain/signing';
import type { Collections } from '@postrider/shared/mongo/collections';
import { toDocument } from '@postrider/shared/mongo/documents';
import { randomTail } from '@postrider/shared/runtime/identifiers';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { anEndpoint } from '@postrider/shared/testing/builders';
import type { World } from '../world/world.js';
import type { Endpoint } from './population.js';
import { OK } from './receiver.js';

const ROWS_AT_ONCE = 1_000;

/**
 * Stores endpoints of a workspace in the database, because thousands of calls would take minutes. The receiver gets their secrets
 * before the first event.
 */
export async function storeEndpoints(
  { db, env, receiver }: World,
  slug: string,
  paths: readonly string[],
): Promise<readonly Endpoint[]> {
  const workspace = await db.collection<{ _id: string }>('workspaces').findOne({ slug });
  const workspaceId = asId('workspace', workspace?._id ?? '');
  const [id = '', key = ''] = env.ENCRYPTION_KEYS?.split(':') ?? [];
  const { seal } = createSecretBox([{ id, key: Buffer.from(key, 'base64') }]);
  const createdAt = new Date();
  const rows = paths.map((path) => {
    const secret = formatSecret(randomBytes(SECRET_BYTES));
    receiver.behave(path, () => OK);
    receiver.trust(path, secret);
    const endpointId = idOf('endpoint', createdAt, randomTail());
    return anEndpoint({
      id: endpointId,
      workspaceId,
      url: `${receiver.otherUrl}${path}`,
      eventTypes: ['api_token.created'],
      secret: seal(secret, endpointId),
      createdAt,
    });
  });
  const endpoints: Collections['endpoints'] = db.collection('endpoints');
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
    await endpoints.insertMany(rows.slice(from, from + ROWS_AT_ONCE).map(toDocument));
  return rows.map((row, index) => ({ id: row.id, path: paths[index] ?? '', workspace: slug }));
}
