import { rotate, signingMethodOf } from '@postrider/shared/domain/rotation';
import type { RotatedKey, RotatedSecret } from '../contract/webhook.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { makeKey } from './endpoint-options.js';
import { findLiveEndpoint } from './find-endpoint.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes' | 'sealing'>;

/** Replaces the signing key. Returns a new secret, once, or a new key pair's public key. Both keys sign in the grace period. */
export function rotateWebhookSecret({ mutate, clock, newId, randomBytes, sealing }: Needs) {
  return (call: Call, { endpointId }: { endpointId: string }): Promise<RotatedSecret | RotatedKey> =>
    mutate<RotatedSecret | RotatedKey>(call, async (tx) => {
      const at = clock.now();
      const endpoint = await findLiveEndpoint(tx.endpoints, call.workspace.id, endpointId);
      const { key, sealed } = makeKey(
        { randomBytes, sealing },
        signingMethodOf(endpoint.secrets),
        endpointId,
      );
      const secrets = rotate(endpoint.secrets, sealed, at);
      await tx.endpoints.save({ ...endpoint, secrets });
      const expiresAt = secrets.previous.expiresAt.toISOString();
      const entry = auditEntry(call, newId, {
        action: 'webhook_endpoint.secret_rotated',
        target: { type: 'endpoint', id: endpointId },
        metadata: { previousSecretExpiresAt: expiresAt },
        at,
      });
      const changes = { audit: [entry], outbox: [] };
      const { publicKey } = key;
      if (publicKey !== null) return { result: { publicKey, previousKeyExpiresAt: expiresAt }, ...changes };
      const result = { secret: key.secret, previousSecretExpiresAt: expiresAt };
      return { result, ...changes, secretOf: endpointId };
    });
}
