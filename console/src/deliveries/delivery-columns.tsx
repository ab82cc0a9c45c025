import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { EndpointCell } from '../endpoint-names/endpoint-link.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { Time } from '../ui/time.js';
import { TwoLines } from '../ui/two-lines.js';
import styles from './deliveries.module.css';
import { isReplayable } from './is-replayable.js';
import { StatusBadge } from './status-badge.js';
import type { Selection } from './use-selection.js';

type Delivery = components['schemas']['Delivery'];

export const DELIVERY_COLUMNS: readonly Column<Delivery>[] = [
  {
    title: texts.deliveries.created,
    cell: ({ deliveryId, createdAt }) => (
      <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
        <Time at={createdAt} />
      </Link>
    ),
  },
  {
    title: texts.deliveries.status,
    cell: ({ status, failureReason }) => <StatusBadge status={status} failureReason={failureReason} />,
  },
  {
    title: texts.deliveries.event,
    cell: ({ eventType }) => (
      <code className={styles.eventType} title={eventType}>
        {eventType}
      </code>
    ),
  },
  {
    title: texts.deliveries.endpoint,
    grows: true,
    cell: ({ endpointId }) => <EndpointCell endpointId={endpointId} />,
  },
  {
    title: texts.deliveries.response,
    cell: ({ lastAttempt, attempts }) => (
      <TwoLines
        first={lastAttempt?.httpStatus ?? lastAttempt?.failureReason}
        second={attempts === 0 ? null : texts.deliveries.attempts(attempts)}
      />
    ),
  },
];

/** A checkbox for each delivery that can be replayed. */
export function selectionColumn({ ids, isFull, toggle }: Selection): Column<Delivery> {
  return {
    title: texts.replays.selection,
    cell: (delivery) =>
      isReplayable(delivery) && (
        <input
          type="checkbox"
          aria-label={texts.replays.select(delivery.deliveryId)}
          checked={ids.has(delivery.deliveryId)}
          disabled={isFull && !ids.has(delivery.deliveryId)}
          onChange={() => toggle(delivery.deliveryId)}
        />
      ),
  };
}
