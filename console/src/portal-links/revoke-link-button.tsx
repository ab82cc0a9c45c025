import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Confirmation } from '../ui/confirmation.js';
import { DialogButton } from '../ui/dialog-button.js';
import { useRevokeLink } from './use-revoke-link.js';

interface LinkProps {
  readonly link: Pick<components['schemas']['PortalLink'], 'id' | 'status'>;
  onRevoked(id: string): void;
}

const { portalLinks } = texts;

/** Revokes an active link after a confirmation. */
export function RevokeLinkButton({ link: { id, status }, onRevoked }: LinkProps) {
  const revocation = useRevokeLink({ id, onRevoked });
  if (status !== 'active') return null;
  const title = portalLinks.revokeNamed(id);
  return (
    <DialogButton look="quiet" aria-label={title} label={portalLinks.revokeShort} title={title}>
      <Confirmation hint={portalLinks.revokeHint} label={portalLinks.revokeShort} {...revocation} />
    </DialogButton>
  );
}
