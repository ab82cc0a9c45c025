import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { EndpointLink } from '../endpoint-names/endpoint-link.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { EmptyState } from '../ui/empty-state.js';
import { LoadMore } from '../ui/load-more.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { Time } from '../ui/time.js';
import styles from './notifications.module.css';

type Notification = components['schemas']['Notification'];

/** A list and no table: the messages are sentences, which have to be readable on a phone as well. */
export function NotificationsPage() {
  const { rows, hasMore, isLoadingMore, loadMore } = useList<Notification>({
    key: ['notifications'],
    fetchPage: (client, query) => client.get('/notifications', { params: { query } }),
  });
  return (
    <>
      <PageHead title={texts.notifications.title} subtitle={texts.notifications.subtitle} />
      <Queried query={rows}>
        {(items) =>
          items.length === 0 && !hasMore ? (
            <EmptyState title={texts.notifications.empty}>
              <p>{texts.notifications.emptyHint}</p>
            </EmptyState>
          ) : (
            <Panel title={texts.notifications.latest}>
              <ul className={styles.list}>
                {items.map((item) => (
                  <Item key={item.id} item={item} />
                ))}
              </ul>
              {hasMore && (
                <LoadMore isEmpty={items.length === 0} isLoading={isLoadingMore} onLoad={loadMore} />
              )}
            </Panel>
          )
        }
      </Queried>
    </>
  );
}

function Item({ item }: { readonly item: Notification }) {
  const { message, createdAt, endpointId } = item;
  const { failingSince, deliveryId, replayJobId } = linksOf(item);
  return (
    <li>
      <p>{message}</p>
      {endpointId !== null && <EndpointLink endpointId={endpointId} />}
      <p className={styles.origin}>
        <Time at={createdAt} />
        {failingSince !== undefined && (
          <span>
            {texts.notifications.failingSince} <Time at={failingSince} />
          </span>
        )}
        {deliveryId !== undefined && (
          <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
            {texts.notifications.openDelivery}
          </Link>
        )}
        {replayJobId !== undefined && (
          <Link to="/replays/$jobId" params={{ jobId: replayJobId }}>
            {texts.notifications.openReplay}
          </Link>
        )}
        {endpointId !== null && (
          <Link to="/deliveries" search={{ endpointId }}>
            {texts.notifications.openDeliveries}
          </Link>
        )}
      </p>
    </li>
  );
}

/** The facts of a notification that lead further; which of them it has depends on its kind. */
function linksOf({ data }: Notification) {
  const text = (name: string) => (typeof data[name] === 'string' ? data[name] : undefined);
  return {
    failingSince: text('failingSince'),
    deliveryId: text('deliveryId'),
    replayJobId: text('replayJobId'),
  };
}
