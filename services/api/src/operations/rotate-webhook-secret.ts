import { rotate } from '@postrider/shared/domain/rotation';
import { formatSecret, ROTATION_GRACE_MS, SECRET_BYTES } from '@postrider/shared/domain/signing';
import type { RotatedSecret } from '../contract/webhook.js';
import { audited } from './audit.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-live.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes' | 'sealing'>;

/** Gives an endpoint a new signing secret, shown this once. The present one signs along for the grace window. */
export function rotateWebhookSecret({ mutate, clock, newId, randomBytes, sealing }: Needs) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<RotatedSecret> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const endpoint = await findLiveEndpoint(tx.endpoints, call.workspace.id, endpointId);
      const secret = formatSecret(randomBytes(SECRET_BYTES));
      const secrets = rotate(endpoint.secrets, sealing.seal(secret, endpointId), at);
      await tx.endpoints.save({ ...endpoint, secrets });
      const previousSecretExpiresAt = new Date(at.getTime() + ROTATION_GRACE_MS).toISOString();
      const entry = audited(call, newId, {
        action: 'webhook_endpoint.secret_rotated',
        target: { type: 'endpoint', id: endpointId },
        metadata: { previousSecretExpiresAt },
        at,
      });
      return { answer: { secret, previousSecretExpiresAt }, audit: [entry], outbox: [] };
    });
}
