import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import { Badge } from '../ui/badge.js';
import { CutMiddle } from '../ui/cut-middle.js';
import type { Column } from '../ui/data-table.js';
import { ListTable } from '../ui/list-table.js';
import { Panel } from '../ui/panel.js';
import { TextWithTimes } from '../ui/text-with-times.js';
import { isDeliveryStatus, StatusBadge } from './status-badge.js';

type EventAtEndpoint = components['schemas']['EventAtEndpoint'];

const COLUMNS: readonly Column<EventAtEndpoint>[] = [
  {
    title: texts.deliveries.endpoint,
    grows: true,
    cell: ({ endpointId, url }) => (
      <Link to="/endpoints/$endpointId" params={{ endpointId }} aria-label={url} title={url}>
        <CutMiddle text={url} />
      </Link>
    ),
  },
  {
    title: texts.explanation.outcome,
    cell: ({ outcome, failureReason }) =>
      isDeliveryStatus(outcome) ? (
        <StatusBadge status={outcome} failureReason={failureReason} />
      ) : (
        <Badge tone="neutral">{texts.explanation.absences[outcome]}</Badge>
      ),
  },
  {
    title: texts.explanation.detail,
    grows: true,
    wraps: true,
    cell: ({ detail }) => detail !== null && <TextWithTimes text={detail} />,
  },
  {
    title: texts.delivery.title,
    cell: ({ deliveryId }) =>
      deliveryId !== null && (
        <Link to="/deliveries/$deliveryId" params={{ deliveryId }}>
          <code>{deliveryId}</code>
        </Link>
      ),
  },
];

/** Identifies the outcomes of an event among what is loaded. */
export const eventKey = (eventId: string) => ['event', eventId] as const;

/** What became of an event at every endpoint of the workspace. */
export function EventPanel({ eventId }: { readonly eventId: string }) {
  const list = useList<EventAtEndpoint>({
    key: eventKey(eventId),
    fetchPage: (client, query) => client.get('/events/{eventId}', { params: { path: { eventId }, query } }),
  });
  return (
    <Panel title={texts.explanation.title}>
      <ListTable
        label={texts.explanation.title}
        columns={COLUMNS}
        list={list}
        keyOf={({ endpointId }) => endpointId}
        empty={<p>{texts.explanation.empty}</p>}
      />
    </Panel>
  );
}
