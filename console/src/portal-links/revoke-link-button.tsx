import type { components } from '@postrider/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';

interface LinkProps {
  readonly link: Pick<components['schemas']['PortalLink'], 'id' | 'status'>;
  onRevoked(id: string): void;
}

const { portalLinks } = texts;

/** Revokes an active link after a confirmation. */
export function RevokeLinkButton({ link: { id, status }, onRevoked }: LinkProps) {
  const client = useClient();
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () =>
      client.delete('/portal-links/{portalLinkId}', { params: { path: { portalLinkId: id } } }),
    onSuccess: () => {
      onRevoked(id);
      return queries.invalidateQueries({ queryKey: ['portal-links'] });
    },
  });
  if (status !== 'active') return null;
  const title = portalLinks.revokeNamed(id);
  return (
    <DialogButton look="quiet" aria-label={title} label={portalLinks.revokeShort} title={title}>
      <p>{portalLinks.revokeHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <div>
        <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
          {portalLinks.revokeShort}
        </Button>
      </div>
    </DialogButton>
  );
}
