import { useQuery } from '@tanstack/react-query';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Facts } from '../ui/facts.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Queried } from '../ui/queried.js';

const REFRESH_MS = 15_000;
const PERCENT = new Intl.NumberFormat(texts.language, { style: 'percent', maximumFractionDigits: 2 });

export function OverviewPage() {
  const client = useClient();
  const query = useQuery({
    queryKey: ['overview', client],
    queryFn: () => client.get('/overview'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHead title={texts.overview.title} />
      <Queried query={query}>
        {({ endpoints, last24h }) => (
          <>
            <Panel title={texts.overview.endpoints}>
              <Facts
                items={[
                  [texts.overview.enabled, endpoints.enabled],
                  [texts.overview.disabled, endpoints.disabled],
                ]}
              />
            </Panel>
            <Panel title={texts.overview.last24h}>
              <Facts
                items={[
                  [
                    texts.overview.successRate,
                    last24h.successRate === null ? texts.overview.none : PERCENT.format(last24h.successRate),
                  ],
                  [texts.deliveries.statuses.delivered, last24h.delivered],
                  [texts.deliveries.statuses.pending, last24h.pending],
                  [texts.deliveries.statuses.failed, last24h.failed],
                  [texts.deliveries.statuses.failed_permanent, last24h.failedPermanent],
                  [texts.deliveries.statuses.dead_lettered, last24h.deadLettered],
                ]}
              />
            </Panel>
          </>
        )}
      </Queried>
    </>
  );
}
