import { Refusal } from '../domain/refusal.js';
import { noChange } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import type { Deps } from './deps.js';
import { revocationRecords, revokeFamilies } from './revoke-families.js';

export interface Revocation {
  readonly tokenId: string;
  readonly cascade?: boolean;
}

/**
 * Revokes a token, possibly the caller's own. With `cascade` it also revokes every token that it made, and those that
 * these made, before it returns. Revoking again changes nothing, and continues a cascade that was interrupted.
 */
export function revokeApiToken(deps: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return async (call: Call, { tokenId, cascade = false }: Revocation): Promise<void> => {
    await deps.mutate(call, async (tx) => {
      const at = deps.clock.now();
      const token = await tx.tokens.find(call.workspace.id, tokenId);
      if (token === null) throw new Refusal('TokenNotFound', 'This workspace has no such API token.');
      if (token.revokedAt === null) await tx.tokens.save({ ...token, revokedAt: at });
      if (cascade) await tx.tokens.markFamilies([tokenId], 'pending');
      if (token.revokedAt !== null) return noChange(undefined);
      return { result: undefined, ...revocationRecords(call, deps.newId, { token, at }) };
    });
    if (cascade) await revokeFamilies(deps, call);
  };
}
