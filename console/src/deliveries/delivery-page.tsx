import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { CopyButton } from '../ui/copy-button.js';
import { Facts } from '../ui/facts.js';
import { JsonView } from '../ui/json-view.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { Time } from '../ui/time.js';
import { AttemptTimeline } from './attempt-timeline.js';
import { ReplayButton } from './replay-button.js';
import { StatusBadge } from './status-badge.js';

type Delivery = components['schemas']['Delivery'];

/** The states that still change are read again. */
const REFRESH_MS = 3_000;

export function DeliveryPage() {
  const { deliveryId } = useParams({ from: '/deliveries/$deliveryId' });
  const client = useClient();
  const query = useQuery({
    queryKey: ['delivery', client, deliveryId],
    queryFn: () => client.get('/webhooks/deliveries/{deliveryId}', { params: { path: { deliveryId } } }),
    refetchInterval: ({ state }) => (state.data?.nextAttemptAt === null ? false : REFRESH_MS),
  });
  return (
    <>
      <PageHead
        title={texts.delivery.title}
        subtitle={<code>{deliveryId}</code>}
        actions={
          <>
            <CopyButton text={deliveryId} label={texts.delivery.copyId} />
            {query.data && <ReplayButton delivery={query.data} />}
          </>
        }
      />
      <Queried query={query}>
        {(delivery) => (
          <>
            <Panel title={texts.delivery.summary}>
              <Summary delivery={delivery} />
            </Panel>
            <Panel title={texts.delivery.attempts}>
              <AttemptTimeline delivery={delivery} />
            </Panel>
            <Panel title={texts.delivery.payload}>
              <JsonView value={delivery.payload} />
            </Panel>
          </>
        )}
      </Queried>
    </>
  );
}

function Summary({ delivery }: { readonly delivery: Delivery }) {
  const { status, failureReason, eventType, endpointId, createdAt, nextAttemptAt, replayedFrom } = delivery;
  return (
    <Facts
      items={[
        [texts.deliveries.status, <StatusBadge key="status" status={status} />],
        ...(failureReason === null
          ? []
          : [[texts.delivery.reason, texts.failureReasons[failureReason]] as const]),
        [texts.deliveries.event, <code key="event">{eventType}</code>],
        [
          texts.deliveries.endpoint,
          <Link key="endpoint" to="/endpoints/$endpointId" params={{ endpointId }}>
            {endpointId}
          </Link>,
        ],
        [texts.deliveries.created, <Time key="created" at={createdAt} />],
        ...(nextAttemptAt === null
          ? []
          : [[texts.delivery.nextAttempt, <Time key="next" at={nextAttemptAt} />] as const]),
        ...(replayedFrom === undefined
          ? []
          : [
              [
                texts.delivery.replayedFrom,
                <Link key="source" to="/deliveries/$deliveryId" params={{ deliveryId: replayedFrom }}>
                  {replayedFrom}
                </Link>,
              ] as const,
            ]),
      ]}
    />
  );
}
