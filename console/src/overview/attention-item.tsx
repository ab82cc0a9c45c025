import { Link } from '@tanstack/react-router';
import { FAILED_DELIVERIES } from '../health/failed-deliveries.js';
import { FailureFacts } from '../health/failure-facts.js';
import { StateItem } from '../health/state-item.js';
import { reasonOf } from '../health/state-reason.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import type { Attention } from './attention.js';

/** One endpoint: what is wrong with it, and what to do about it. */
export function AttentionItem({ item }: { readonly item: Attention }) {
  const { id, url } = item.endpoint;
  return (
    <StateItem
      state={item.concern}
      title={
        <Link to="/endpoints/$endpointId" params={{ endpointId: id }}>
          {url}
        </Link>
      }
      reason={reasonsOf(item)}
      cause={item.concern !== 'slow' && <FailureFacts endpoint={item.endpoint} />}
    >
      <NextStep item={item} />
    </StateItem>
  );
}

/** Of a disabled endpoint also what waits for it. */
function reasonsOf({ endpoint, concern }: Attention): string {
  const states = endpoint.enabled ? [concern] : (endpoint.health?.states ?? [concern]);
  return states.map((state) => reasonOf(state, endpoint)).join(' ');
}

function NextStep({ item: { endpoint, concern } }: { readonly item: Attention }) {
  const text = texts.health.nextSteps[concern];
  if (!endpoint.enabled)
    return (
      <LinkButton to="/endpoints/$endpointId" params={{ endpointId: endpoint.id }}>
        {text}
      </LinkButton>
    );
  const search = { endpointId: endpoint.id, ...(concern === 'failing' && FAILED_DELIVERIES) };
  return (
    <LinkButton to="/deliveries" search={search}>
      {text}
    </LinkButton>
  );
}
