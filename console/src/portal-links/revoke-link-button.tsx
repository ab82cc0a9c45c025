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
export function RevokeLinkButton({ link, onRevoked }: LinkProps) {
  if (link.status !== 'active') return null;
  const title = portalLinks.revokeNamed(link.id);
  return (
    <DialogButton look="quiet" aria-label={title} label={portalLinks.revokeShort} title={title}>
      <RevokeLink link={link} onRevoked={onRevoked} />
    </DialogButton>
  );
}

function RevokeLink({ link: { id }, onRevoked }: LinkProps) {
  const { mutate, error, isPending } = useRevokeLink({ id, onRevoked });
  return (
    <>
      <p>{portalLinks.revokeHint}</p>
      {error !== null && <ErrorPanel error={error} />}
      <div>
        <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
          {portalLinks.revokeShort}
        </Button>
      </div>
    </>
  );
}
