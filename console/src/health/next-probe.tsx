import type { components } from '@postrider/client';
import { texts } from '../texts/en.js';
import { Countdown } from '../ui/countdown.js';
import styles from './health.module.css';

/** When the next test event may enable an endpoint again. */
export function NextProbe({ endpoint }: { readonly endpoint: components['schemas']['ListedWebhook'] }) {
  const { nextProbeAt = null } = endpoint.health ?? {};
  if (nextProbeAt === null) return null;
  return (
    <p className={styles.calm}>
      {texts.overview.nextProbe} <Countdown at={nextProbeAt} />
    </p>
  );
}
