import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { formatMs } from '../ui/format-ms.js';
import { EndpointState } from './endpoint-state.js';
import { Sparkline } from './sparkline.js';

export const ENDPOINT_COLUMNS: readonly Column<components['schemas']['ListedWebhook']>[] = [
  {
    title: texts.endpoints.url,
    cell: ({ id, url }) => (
      <Link to="/endpoints/$endpointId" params={{ endpointId: id }}>
        {url}
      </Link>
    ),
  },
  { title: texts.endpoints.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    title: texts.endpoints.day,
    cell: ({ health }) => health && <Sparkline hours={health.hours} />,
  },
  { title: texts.stats.p95, cell: ({ health }) => health?.latencyMs && formatMs(health.latencyMs.p95) },
  { title: texts.endpoints.eventTypes, cell: ({ eventTypes }) => eventTypes.join(', ') },
  { title: texts.endpoints.description, cell: ({ description }) => description },
  { title: texts.endpoints.failures, cell: ({ consecutiveFailures }) => consecutiveFailures },
  {
    title: texts.endpoints.held,
    cell: ({ heldDeliveries }) => heldDeliveries > 0 && heldDeliveries.toLocaleString(texts.language),
  },
];
