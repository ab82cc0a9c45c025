import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { EndpointCell } from '../endpoint-names/endpoint-link.js';
import { texts } from '../texts/en.js';
import { CopiedId } from '../ui/copied-id.js';
import { Countdown } from '../ui/countdown.js';
import { Facts } from '../ui/facts.js';
import { Time } from '../ui/time.js';
import { Failure } from './failure.js';
import { StatusBadge } from './status-badge.js';

type Delivery = components['schemas']['Delivery'];

export function DeliverySummary({ delivery }: { readonly delivery: Delivery }) {
  const { status, failureReason, eventType, endpointId, eventId, traceId, createdAt, nextAttemptAt } =
    delivery;
  const rows: readonly (readonly [string, ReactNode] | null)[] = [
    [texts.deliveries.status, <StatusBadge key="status" status={status} failureReason={failureReason} />],
    failureReason && [texts.delivery.reason, <Failure key="reason" delivery={delivery} />],
    nextAttemptAt === null ? null : [texts.delivery.nextAttempt, <Countdown key="next" at={nextAttemptAt} />],
    [texts.deliveries.event, <code key="event">{eventType}</code>],
    [texts.deliveries.endpoint, <EndpointCell key="endpoint" endpointId={endpointId} />],
    [texts.deliveries.created, <Time key="created" at={createdAt} />],
    eventId === null
      ? null
      : [
          texts.delivery.eventId,
          <CopiedId key="event-id" id={eventId} label={texts.delivery.copyEventId}>
            <Link to="/deliveries" search={{ eventId }}>
              <code>{eventId}</code>
            </Link>
          </CopiedId>,
        ],
    [
      texts.deliveries.filterNames.traceId,
      <CopiedId key="trace" id={traceId} label={texts.delivery.copyTraceId}>
        <Link to="/deliveries" search={{ traceId }}>
          <code>{traceId}</code>
        </Link>
      </CopiedId>,
    ],
    delivery.replayedFrom === undefined
      ? null
      : [texts.delivery.replayedFrom, <DeliveryLink key="source" deliveryId={delivery.replayedFrom} />],
    delivery.replayedBy === null
      ? null
      : [texts.delivery.replayed, <DeliveryLink key="replay" deliveryId={delivery.replayedBy} />],
  ];
  return <Facts items={rows.filter((row) => row !== null)} />;
}

function DeliveryLink({ deliveryId }: { readonly deliveryId: string }) {
  return (
    <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
      <code>{deliveryId}</code>
    </Link>
  );
}
