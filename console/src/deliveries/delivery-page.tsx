import type { components } from '@postrider/client';
import { useParams } from '@tanstack/react-router';
import { SendingHolds } from '../holds/sending-holds.js';
import { texts } from '../texts/en.js';
import { CopiedId } from '../ui/copied-id.js';
import { CopyButton } from '../ui/copy-button.js';
import { JsonView } from '../ui/json-view.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { AttemptTimeline } from './attempt-timeline.js';
import styles from './deliveries.module.css';
import { DeliverySummary } from './delivery-summary.js';
import { EventPanel } from './event-panel.js';
import { ReplayButton } from './replay-button.js';
import { useDelivery } from './use-delivery.js';
import { useRefreshedEvent } from './use-refreshed-event.js';

type Delivery = components['schemas']['Delivery'];

/** A delivery that still changes is read again. */
const REFRESH_MS = 3_000;

export function DeliveryPage() {
  const { deliveryId } = useParams({ from: '/deliveries/$deliveryId' });
  const query = useDelivery(deliveryId, REFRESH_MS);
  useRefreshedEvent(query.data);
  const eventId = query.data?.eventId;
  return (
    <>
      <PageHead
        title={texts.delivery.title}
        subtitle={
          <CopiedId id={deliveryId} label={texts.delivery.copyId}>
            <code>{deliveryId}</code>
          </CopiedId>
        }
        actions={query.data && <ReplayButton key={deliveryId} delivery={query.data} />}
      />
      <SendingHolds holds={query.data?.sendingHolds} />
      <div className={styles.columns}>
        <Panel title={texts.delivery.summary}>
          <Queried query={query}>{(delivery) => <DeliverySummary delivery={delivery} />}</Queried>
        </Panel>
        <div className={styles.attempts}>
          <Panel title={texts.delivery.attempts}>
            <AttemptTimeline deliveryId={deliveryId} delivery={query.data} />
          </Panel>
        </div>
        {query.data && <Payload delivery={query.data} />}
      </div>
      {typeof eventId === 'string' && <EventPanel eventId={eventId} />}
    </>
  );
}

function Payload({ delivery: { payload } }: { readonly delivery: Delivery }) {
  return (
    <Panel
      title={texts.delivery.payload}
      actions={<CopyButton text={JSON.stringify(payload, null, 2)} label={texts.delivery.copyPayload} />}
    >
      <JsonView value={payload} />
    </Panel>
  );
}
