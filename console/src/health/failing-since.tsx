import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import styles from './health.module.css';

/** Since when an endpoint has failed. */
export function FailingSince({ endpoint }: { readonly endpoint: components['schemas']['ListedWebhook'] }) {
  const { failingSince = null } = endpoint.health ?? {};
  if (failingSince === null) return null;
  return (
    <p className={styles.calm}>
      {texts.notifications.failingSince} <Time at={failingSince} />
    </p>
  );
}
