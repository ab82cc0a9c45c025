import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { DialogButton } from '../ui/dialog-button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { useRevokeLink } from './use-revoke-link.js';

interface LinkProps {
  readonly link: Pick<components['schemas']['PortalLink'], 'id' | 'status'>;
  onRevoked(id: string): void;
}

const { portalLinks } = texts;

/** Revokes an active link after a confirmation. */
export function RevokeLinkButton({ link: { id, status }, onRevoked }: LinkProps) {
  const { mutate, error, isPending } = useRevokeLink({ id, onRevoked });
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
