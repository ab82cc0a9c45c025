import { Refusal } from '../domain/refusal.js';
import { noChange } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';

/** Ends a portal link. Ending it again changes nothing. */
export function revokePortalLink({ mutate, clock, newId }: Pick<Deps, 'mutate' | 'clock' | 'newId'>) {
  return (call: Call, { portalLinkId }: { portalLinkId: string }): Promise<void> =>
    mutate(call, async (tx) => {
      const at = clock.now();
      const link = await tx.portalLinks.find(call.workspace.id, portalLinkId);
      if (link === null) {
        throw new Refusal(
          'PortalLinkNotFound',
          'This workspace has no such portal link, or it was removed after it expired.',
        );
      }
      if (link.revokedAt !== null) return noChange(undefined);
      await tx.portalLinks.save({ ...link, revokedAt: at });
      const entry = auditEntry(call, newId, {
        action: 'portal_link.revoked',
        target: { type: 'portal_link', id: portalLinkId },
        metadata: {},
        at,
      });
      return { result: undefined, audit: [entry], outbox: [] };
    });
}
