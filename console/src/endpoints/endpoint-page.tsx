import { useParams } from '@tanstack/react-router';
import { SendingHolds } from '../holds/sending-holds.js';
import { texts } from '../texts/en.js';
import { CopiedId } from '../ui/copied-id.js';
import { Countdown } from '../ui/countdown.js';
import { Facts } from '../ui/facts.js';
import { LinkButton } from '../ui/link-button.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';
import { EndpointActions } from './endpoint-actions.js';
import { HealthPanel } from './health-panel.js';
import { OptionsPanel } from './options-panel.js';
import { useEndpoint } from './use-endpoint.js';

export function EndpointPage() {
  const { endpointId } = useParams({ from: '/endpoints/$endpointId' });
  const query = useEndpoint(endpointId);
  return (
    <>
      <PageHead
        title={query.data?.url ?? texts.endpoints.title}
        subtitle={
          <CopiedId id={endpointId} label={texts.delivery.copyId}>
            <code>{endpointId}</code>
          </CopiedId>
        }
        actions={
          <>
            <LinkButton to="/deliveries" search={{ endpointId }}>
              {texts.endpoints.deliveries}
            </LinkButton>
            {query.data && <EndpointActions key={endpointId} endpoint={query.data} />}
          </>
        }
      />
      <SendingHolds holds={query.data?.sendingHolds} />
      <Queried query={query}>
        {(endpoint) => (
          <>
            <HealthPanel endpoint={endpoint} />
            <Panel title={texts.endpoints.settings}>
              <Facts
                items={[
                  [texts.endpoints.url, endpoint.url],
                  [texts.endpoints.description, endpoint.description],
                  [texts.endpoints.eventTypes, endpoint.eventTypes.join(', ')],
                  [texts.endpoints.recovery, texts.endpoints.recoveries[endpoint.recovery]],
                  ...(endpoint.previousSecretExpiresAt === null
                    ? []
                    : [
                        [
                          texts.endpoints.previousSecret,
                          <Countdown key="secret" at={endpoint.previousSecretExpiresAt} />,
                        ] as const,
                      ]),
                ]}
              />
            </Panel>
            <OptionsPanel endpoint={endpoint} />
          </>
        )}
      </Queried>
    </>
  );
}
