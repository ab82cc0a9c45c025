import { Refusal } from '../domain/refusal.js';
import { noChange } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { changeRecords } from './change-records.js';
import type { Deps } from './deps.js';

/** Revokes a token, possibly the caller's own. Revoking it again changes nothing. */
export function revokeApiToken({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { tokenId }: { tokenId: string }): Promise<void> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const token = await tx.tokens.find(call.workspace.id, tokenId);
      if (token === null) throw new Refusal('TokenNotFound', 'This workspace has no such API token.');
      if (token.revokedAt !== null) return noChange(undefined);
      await tx.tokens.save({ ...token, revokedAt: at });
      const records = changeRecords(call, newId, {
        type: 'api_token.revoked',
        target: { type: 'api_token', id: tokenId },
        metadata: { name: token.name },
        own: { tokenId, name: token.name },
        at,
      });
      return { result: undefined, ...records };
    });
}
