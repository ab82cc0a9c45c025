import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { EndpointState } from '../health/endpoint-state.js';
import { texts } from '../texts/en.js';
import { CutMiddle } from '../ui/cut-middle.js';
import type { Column } from '../ui/data-table.js';
import { formatMs } from '../ui/format-ms.js';
import { TwoLines } from '../ui/two-lines.js';
import { Sparkline } from './sparkline.js';

export const ENDPOINT_COLUMNS: readonly Column<components['schemas']['ListedWebhook']>[] = [
  {
    title: texts.endpoints.url,
    grows: true,
    cell: ({ id, url, description }) => (
      <TwoLines
        first={
          <Link to="/endpoints/$endpointId" params={{ endpointId: id }} aria-label={url} title={url}>
            <CutMiddle text={url} />
          </Link>
        }
        second={description && <span title={description}>{description}</span>}
      />
    ),
  },
  { title: texts.endpoints.state, cell: (endpoint) => <EndpointState endpoint={endpoint} /> },
  {
    title: texts.endpoints.day,
    cell: ({ health }) => health && <Sparkline hours={health.hours} />,
  },
  { title: texts.stats.p95, cell: ({ health }) => health?.latencyMs && formatMs(health.latencyMs.p95) },
  { title: texts.endpoints.eventTypes, cell: ({ eventTypes }) => shortened(eventTypes) },
];

/** The first event type; the others are named on the endpoint's page. */
function shortened([first = '', ...others]: readonly string[]): string {
  return others.length === 0 ? first : `${first} ${texts.endpoints.moreTypes(others.length)}`;
}
