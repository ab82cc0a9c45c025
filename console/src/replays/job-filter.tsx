import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { FAILED_ATTEMPTS } from '../deliveries/failed-attempts.js';
import { EndpointCell } from '../endpoint-names/endpoint-link.js';
import { texts } from '../texts/en.js';
import { Facts } from '../ui/facts.js';
import { Time } from '../ui/time.js';
import { examplesOf } from './replay-draft.js';

type FailureReason = NonNullable<components['schemas']['ReplayFilter']['failureReasons']>[number];

/** The set of deliveries that a job is about. */
export function JobFilter({ filter }: { readonly filter: components['schemas']['ReplayFilter'] }) {
  const { endpointId, statuses, eventTypes, createdAfter, createdBefore } = filter;
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
            reasonsText([...(filter.failureReasons ?? []), ...(filter.lastFailureReasons ?? [])]),
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

function reasonsText(reasons: readonly FailureReason[]): string {
  if (reasons.length === 0) return texts.replays.anyReason;
  if (reasons.join(',') === FAILED_ATTEMPTS) return texts.replays.anyAttempt;
  return reasons.map((reason) => texts.failureReasons[reason]).join(' ');
}
