import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { EmptyState } from '../ui/empty-state.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { Time } from '../ui/time.js';
import styles from './notifications.module.css';

type Notification = components['schemas']['Notification'];

/** A list and no table: the messages are sentences, which have to be readable on a phone as well. */
export function NotificationsPage() {
  const { rows, hasMore, loadMore } = useList<Notification>({
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
                <div>
                  <Button onPress={loadMore}>{texts.actions.loadMore}</Button>
                </div>
              )}
            </Panel>
          )
        }
      </Queried>
    </>
  );
}

function Item({ item: { message, createdAt, endpointId } }: { readonly item: Notification }) {
  return (
    <li>
      <p>{message}</p>
      <p className={styles.origin}>
        <Time at={createdAt} />
        {endpointId !== null && (
          <Link to="/endpoints/$endpointId" params={{ endpointId }}>
            {texts.notifications.openEndpoint}
          </Link>
        )}
      </p>
    </li>
  );
}
