import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge, type Tone } from '../ui/badge.js';
import { LinkButton } from '../ui/link-button.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { type Attention, attentionOf, type Concern } from './attention.js';
import styles from './overview.module.css';

const TONES: Readonly<Record<Concern, Tone>> = { disabled_by_failures: 'bad', held: 'hold', failing: 'warn' };
/** More pages than that are not loaded for the overview: a workspace has at most 1,000 endpoints by default. */
const MAX_ENDPOINTS = 1_000;
const MAX_SHOWN = 8;

/** The endpoints that need attention first, each with the reason and the next step. */
export function AttentionPanel() {
  const { rows, hasMore, loadMore } = useList<components['schemas']['Webhook']>({
    key: ['endpoints'],
    fetchPage: (client, query) => client.get('/webhooks', { params: { query } }),
  });
  const loaded = rows.data?.length ?? 0;
  useEffect(() => {
    if (hasMore && loaded < MAX_ENDPOINTS) loadMore();
  }, [hasMore, loaded, loadMore]);
  return (
    <Panel title={texts.overview.attention}>
      <Queried query={rows}>
        {(endpoints) => {
          const items = attentionOf(endpoints);
          if (items.length === 0) return <p className={styles.calm}>{texts.overview.calm}</p>;
          return (
            <>
              <ul className={styles.attention}>
                {items.slice(0, MAX_SHOWN).map((item) => (
                  <AttentionItem key={item.endpoint.id} item={item} />
                ))}
              </ul>
              {items.length > MAX_SHOWN && (
                <Link to="/endpoints">{texts.overview.more(items.length - MAX_SHOWN)}</Link>
              )}
            </>
          );
        }}
      </Queried>
    </Panel>
  );
}

function AttentionItem({ item: { endpoint, concern } }: { readonly item: Attention }) {
  const { id, url, heldDeliveries, consecutiveFailures } = endpoint;
  return (
    <li>
      <div className={styles.reason}>
        <div className={styles.line}>
          <Badge tone={TONES[concern]}>{texts.overview.concerns[concern]}</Badge>
          <Link to="/endpoints/$endpointId" params={{ endpointId: id }}>
            {url}
          </Link>
        </div>
        <p>
          {concern === 'failing'
            ? texts.overview.failing(consecutiveFailures)
            : texts.overview.waiting[concern](heldDeliveries)}
        </p>
      </div>
      {concern === 'failing' ? (
        <LinkButton to="/deliveries" search={{ endpointId: id, status: 'failed' }}>
          {texts.overview.nextSteps.failing}
        </LinkButton>
      ) : (
        <LinkButton to="/endpoints/$endpointId" params={{ endpointId: id }}>
          {texts.overview.nextSteps[concern]}
        </LinkButton>
      )}
    </li>
  );
}
