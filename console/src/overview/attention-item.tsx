import { Link } from '@tanstack/react-router';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';
import { formatMs } from '../ui/format-ms.js';
import { LinkButton } from '../ui/link-button.js';
import type { Attention, Concern } from './attention.js';
import styles from './overview.module.css';

const TONES: Readonly<Record<Concern, Tone>> = {
  disabled_by_failures: 'bad',
  held: 'hold',
  failing: 'warn',
  slow: 'warn',
};

/** One endpoint: what is wrong with it, and what to do about it. */
export function AttentionItem({ item }: { readonly item: Attention }) {
  const { id, url } = item.endpoint;
  return (
    <li>
      <div className={styles.reason}>
        <div className={styles.line}>
          <Badge tone={TONES[item.concern]}>{texts.endpoints.states[item.concern]}</Badge>
          <Link to="/endpoints/$endpointId" params={{ endpointId: id }}>
            {url}
          </Link>
        </div>
        <p>{reasonOf(item)}</p>
      </div>
      <NextStep item={item} />
    </li>
  );
}

function reasonOf({ endpoint, concern }: Attention): string {
  const { heldDeliveries, consecutiveFailures, health } = endpoint;
  if (concern === 'failing') return texts.overview.failing(consecutiveFailures);
  if (concern === 'slow') return texts.overview.slow(formatMs(health?.latencyMs?.p95 ?? 0));
  return texts.overview.waiting[concern](heldDeliveries);
}

function NextStep({ item: { endpoint, concern } }: { readonly item: Attention }) {
  const text = texts.overview.nextSteps[concern];
  if (concern === 'disabled_by_failures' || concern === 'held')
    return (
      <LinkButton to="/endpoints/$endpointId" params={{ endpointId: endpoint.id }}>
        {text}
      </LinkButton>
    );
  const search = { endpointId: endpoint.id, ...(concern === 'failing' && { status: 'failed' }) };
  return (
    <LinkButton to="/deliveries" search={search}>
      {text}
    </LinkButton>
  );
}
