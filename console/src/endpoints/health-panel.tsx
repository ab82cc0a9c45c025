import type { components } from '@postrider/client';
import { FailureFacts } from '../health/failure-facts.js';
import { StateItem, StateList } from '../health/state-item.js';
import type { EndpointStateName } from '../health/state-name.js';
import { texts } from '../texts/en.js';
import { Facts } from '../ui/facts.js';
import { formatMs } from '../ui/format-ms.js';
import { Loading } from '../ui/loading.js';
import { Panel } from '../ui/panel.js';
import { explanationOf } from './explanation.js';
import { NextSteps } from './next-steps.js';
import type { EndpointProps } from './show-endpoint.js';
import { Sparkline } from './sparkline.js';

/** The states that failures cause. */
const OF_FAILURES: ReadonlySet<EndpointStateName> = new Set(['failing', 'disabled_by_failures']);

/** Every state of the endpoint, each with the reason and the next step, and its last 24 hours. */
export function HealthPanel({ endpoint }: EndpointProps) {
  const { health } = endpoint;
  if (health === undefined) return <Loading />;
  return (
    <Panel title={texts.health.title}>
      <StateList>
        {health.states.map((state) => (
          <StateItem
            key={state}
            state={state}
            reason={explanationOf(state, endpoint)}
            cause={OF_FAILURES.has(state) && <FailureFacts endpoint={endpoint} />}
          >
            <NextSteps state={state} endpoint={endpoint} />
          </StateItem>
        ))}
      </StateList>
      <LastDay health={health} />
    </Panel>
  );
}

function LastDay({
  health: { hours, latencyMs },
}: {
  readonly health: components['schemas']['EndpointHealth'];
}) {
  return (
    <Facts
      items={[
        [texts.endpoints.day, <Sparkline key="day" hours={hours} />],
        [
          texts.health.latencyTitle,
          latencyMs === null
            ? texts.health.noAttempts
            : texts.health.latency(formatMs(latencyMs.p50), formatMs(latencyMs.p95)),
        ],
      ]}
    />
  );
}
