import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { EndpointCell } from '../endpoint-names/endpoint-link.js';
import { texts } from '../texts/en.js';
import { Facts } from '../ui/facts.js';
import { Time } from '../ui/time.js';
import { examplesOf } from './replay-draft.js';

/** The set of deliveries that a job is about. */
export function JobFilter({ filter }: { readonly filter: components['schemas']['ReplayFilter'] }) {
  const { endpointId, statuses, eventTypes, createdAfter, createdBefore } = filter;
  const reasons = [...(filter.failureReasons ?? []), ...(filter.lastFailureReasons ?? [])];
  return (
    <>
      <Facts
        items={[
          [
            texts.replays.endpoint,
            endpointId === null ? (
              texts.replays.allEndpoints
            ) : (
              <EndpointCell key="endpoint" endpointId={endpointId} />
            ),
          ],
          [
            texts.replays.statusesLabel,
            statuses.map((status) => texts.deliveries.statuses[status]).join(', '),
          ],
          [texts.deliveries.event, eventTypes?.join(', ') ?? texts.replays.anyType],
          [
            texts.delivery.reason,
            reasons.length === 0
              ? texts.replays.anyReason
              : reasons.map((reason) => texts.failureReasons[reason]).join(' '),
          ],
          [texts.deliveries.filterNames.createdAfter, <Time key="after" at={createdAfter} />],
          [texts.deliveries.filterNames.createdBefore, <Time key="before" at={createdBefore} />],
        ]}
      />
      <Link to="/deliveries" search={examplesOf(filter)}>
        {texts.replays.showAll}
      </Link>
    </>
  );
}
