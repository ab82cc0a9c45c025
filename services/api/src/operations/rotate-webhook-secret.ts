import { rotate } from '@postrider/shared/domain/rotation';
import { formatSecret, ROTATION_GRACE_MS, SECRET_BYTES } from '@postrider/shared/domain/signing';
import type { RotatedSecret } from '../contract/webhook.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes' | 'sealing'>;

/** Replaces the signing secret and returns the new one, once. During the grace period both secrets sign. */
export function rotateWebhookSecret({ mutate, clock, newId, randomBytes, sealing }: Needs) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<RotatedSecret> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const endpoint = await findLiveEndpoint(tx.endpoints, call.workspace.id, endpointId);
      const secret = formatSecret(randomBytes(SECRET_BYTES));
      const secrets = rotate(endpoint.secrets, sealing.seal(secret, endpointId), at);
      await tx.endpoints.save({ ...endpoint, secrets });
      const previousSecretExpiresAt = new Date(at.getTime() + ROTATION_GRACE_MS).toISOString();
      const entry = auditEntry(call, newId, {
        action: 'webhook_endpoint.secret_rotated',
        target: { type: 'endpoint', id: endpointId },
        metadata: { previousSecretExpiresAt },
        at,
      });
      return {
        result: { secret, previousSecretExpiresAt },
        audit: [entry],
        outbox: [],
        secretOf: endpointId,
      };
    });
}
