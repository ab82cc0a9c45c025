import { hashToken } from '@postrider/shared/domain/api-token';
import type { EndpointId } from '@postrider/shared/domain/id';
import { asId } from '@postrider/shared/domain/id';
import {
  formatPortalSecret,
  PORTAL_LINK_LIFE_S,
  PORTAL_LINK_PERMISSIONS,
  PORTAL_SECRET_BYTES,
  type PortalLink,
} from '@postrider/shared/domain/portal-link';
import type { CreatedPortalLink, CreatePortalLink } from '../contract/portal-link.js';
import type { Credential } from '../domain/credential.js';
import type { Transaction } from '../ports/unit-of-work.js';
import type { Call } from './call.js';
import { auditEntry } from './change-records.js';
import type { Deps } from './deps.js';
import { findLiveEndpoint } from './find-endpoint.js';
import { grantableScopes } from './grantable-scopes.js';

type Needs = Pick<Deps, 'mutate' | 'clock' | 'newId' | 'randomBytes' | 'consoleUrl' | 'requireFeature'>;

/** Creates a bearer for a limited time, as a link to the console. Its secret is returned once. */
export function createPortalLink(deps: Needs) {
  const { mutate, clock, newId, randomBytes, consoleUrl } = deps;
  return async (call: Call, input: CreatePortalLink): Promise<CreatedPortalLink> => {
    const { credential: creator, permissions, baseUrl } = call;
    if (creator === null) throw new Error('only a token makes portal links');
    deps.requireFeature('portalLinks');
    const scopes =
      input.scopes === undefined
        ? PORTAL_LINK_PERMISSIONS.filter((permission) => permissions.has(permission))
        : grantableScopes(input.scopes, permissions);
    return mutate(call, async (tx) => {
      const at = clock.now();
      const secret = formatPortalSecret(randomBytes(PORTAL_SECRET_BYTES));
      const link: PortalLink = {
        id: newId('portalLink', at),
        workspaceId: call.workspace.id,
        scopes,
        endpointIds: await existing(tx, call.workspace.id, input.endpointIds),
        hash: hashToken(secret),
        makerId: asId('token', creator.id),
        createdAt: at,
        expiresAt: endOf(input, creator, at),
        revokedAt: null,
      };
      await tx.portalLinks.insert(link);
      const { id, endpointIds } = link;
      const expiresAt = link.expiresAt.toISOString();
      const entry = auditEntry(call, newId, {
        action: 'portal_link.created',
        target: { type: 'portal_link', id },
        metadata: { scopes: [...scopes], endpointIds, expiresAt },
        at,
      });
      const url = `${consoleUrl ?? `${baseUrl}/console`}/#token=${secret}`;
      return { result: { id, url, token: secret, expiresAt }, audit: [entry], outbox: [] };
    });
  };
}

/** @throws Refusal `EndpointNotFound` */
async function existing(
  { endpoints }: Transaction,
  workspaceId: string,
  ids: readonly string[] | undefined,
): Promise<readonly EndpointId[] | null> {
  if (ids === undefined) return null;
  const found: EndpointId[] = [];
  for (const id of new Set(ids)) found.push((await findLiveEndpoint(endpoints, workspaceId, id)).id);
  return found;
}

function endOf({ expiresIn = PORTAL_LINK_LIFE_S }: CreatePortalLink, creator: Credential, now: Date): Date {
  const end = new Date(now.getTime() + expiresIn * 1_000);
  return creator.expiresAt !== null && creator.expiresAt < end ? creator.expiresAt : end;
}
