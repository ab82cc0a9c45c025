import { FAILED_DELIVERIES } from '../health/failed-deliveries.js';
import type { EndpointStateName } from '../health/state-name.js';
import { useMay } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { LinkButton } from '../ui/link-button.js';
import { EnableButton } from './enable-button.js';
import { ReplayHeldButton } from './replay-held-button.js';
import type { EndpointProps } from './show-endpoint.js';

interface NextStepsProps extends EndpointProps {
  readonly state: EndpointStateName;
}

/** What to do about a state, as far as the token may do it. */
export function NextSteps({ state, endpoint }: NextStepsProps) {
  const mayUpdate = useMay('webhook:update');
  switch (state) {
    case 'healthy':
      return null;
    case 'slow':
      return <Deliveries endpoint={endpoint} text={texts.health.nextSteps.slow} />;
    case 'failing':
      return (
        <Deliveries endpoint={endpoint} text={texts.health.nextSteps.failing} search={FAILED_DELIVERIES} />
      );
    case 'held':
      return (
        <>
          <Deliveries
            endpoint={endpoint}
            text={texts.held.show}
            search={{ failureReason: 'endpoint_disabled' }}
          />
          {mayUpdate && <ReplayHeldButton endpoint={endpoint} />}
        </>
      );
    case 'disabled_by_operator':
      return mayUpdate && <EnableButton endpoint={endpoint} />;
    case 'disabled_by_failures':
      return (
        <>
          <Deliveries endpoint={endpoint} text={texts.health.answered} search={FAILED_DELIVERIES} />
          {mayUpdate && <EnableButton endpoint={endpoint} />}
        </>
      );
  }
}

interface DeliveriesProps extends EndpointProps {
  readonly text: string;
  readonly search?: {
    readonly status?: string;
    readonly failureReason?: string;
    readonly lastFailureReason?: string;
  };
}

function Deliveries({ endpoint: { id }, text, search }: DeliveriesProps) {
  return (
    <LinkButton to="/deliveries" search={{ endpointId: id, ...search }}>
      {text}
    </LinkButton>
  );
}
