import type { components } from '@postrider/client';
import { useQueryClient } from '@tanstack/react-query';
import { changeRows } from '../session/first-page.js';
import { useClient } from '../session/use-client.js';

interface Revocation {
  readonly id: string;
  onRevoked(id: string): void;
}

/** The mutation that revokes a portal link, also in the list of links. */
export function useRevokeLink({ id, onRevoked }: Revocation) {
  const client = useClient();
  const queries = useQueryClient();
  return {
    send: () => client.delete('/portal-links/{portalLinkId}', { params: { path: { portalLinkId: id } } }),
    onSuccess: () => {
      onRevoked(id);
      void changeRows<components['schemas']['PortalLink']>(queries, ['portal-links'], (link) =>
        link.id === id ? { ...link, status: 'revoked' } : link,
      );
    },
  };
}
