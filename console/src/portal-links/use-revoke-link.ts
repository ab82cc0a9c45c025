import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';

interface Revocation {
  readonly id: string;
  onRevoked(id: string): void;
}

/** Revokes a portal link and loads the list of links again. */
export function useRevokeLink({ id, onRevoked }: Revocation) {
  const client = useClient();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      client.delete('/portal-links/{portalLinkId}', { params: { path: { portalLinkId: id } } }),
    onSuccess: () => {
      onRevoked(id);
      return queries.invalidateQueries({ queryKey: ['portal-links'] });
    },
  });
}
