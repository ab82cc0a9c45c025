import type { components } from '@postrider/client';
import { useMutation } from '@tanstack/react-query';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import controls from '../ui/controls.module.css';
import { Countdown } from '../ui/countdown.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { OneTimeValue } from '../ui/one-time-value.js';
import { Panel } from '../ui/panel.js';
import styles from './portal-links.module.css';
import { useRevokeLink } from './use-revoke-link.js';

interface CreatedLinkProps {
  readonly link: components['schemas']['CreatedPortalLink'];
  onRevoked(id: string): void;
}

/** A link that was just made: copy it, open it as the customer would, or revoke it. */
export function CreatedLink({ link: { id, url, expiresAt }, onRevoked }: CreatedLinkProps) {
  const { send, onSuccess } = useRevokeLink({ id, onRevoked });
  const { mutate, error, isPending } = useMutation({ mutationFn: send, onSuccess });
  return (
    <Panel title={texts.portalLinks.created}>
      <p>{texts.portalLinks.once}</p>
      <OneTimeValue value={url} label={texts.portalLinks.copy} />
      <p>
        {texts.portalLinks.ends} <Countdown at={expiresAt} />
      </p>
      <div className={styles.actions}>
        <a className={controls.button} href={url} target="_blank" rel="noreferrer">
          {texts.portalLinks.open}
        </a>
        <Button look="danger" isDisabled={isPending} onPress={() => mutate()}>
          {texts.portalLinks.revoke}
        </Button>
      </div>
      {error !== null && <ErrorPanel error={error} />}
    </Panel>
  );
}
