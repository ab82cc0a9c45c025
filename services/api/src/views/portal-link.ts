import { type ListedPortalLink, portalLinkStatus } from '@postrider/shared/domain/portal-link';
import type * as wire from '../contract/portal-link.js';

export function showPortalLink(link: ListedPortalLink, now: Date): wire.PortalLink {
  return {
    id: link.id,
    scopes: [...link.scopes],
    endpointIds: link.endpointIds && [...link.endpointIds],
    status: portalLinkStatus(link, now),
    createdBy: link.makerId,
    createdAt: link.createdAt.toISOString(),
    expiresAt: link.expiresAt.toISOString(),
    revokedAt: link.revokedAt?.toISOString() ?? null,
  };
}
