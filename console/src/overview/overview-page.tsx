import { useQuery } from '@tanstack/react-query';
import { SendingHolds } from '../holds/sending-holds.js';
import { pollEvery } from '../session/poll-every.js';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { PageHead } from '../ui/page-head.js';
import { Queried } from '../ui/queried.js';
import { AttentionPanel } from './attention-panel.js';
import { countTiles } from './count-tiles.js';
import { LivePanel } from './live-panel.js';
import { StatsPanel } from './stats-panel.js';
import { Tiles } from './tiles.js';
import { useAttention } from './use-attention.js';

const REFRESH_MS = 15_000;

export function OverviewPage() {
  const mayReadCounts = useMay('workspace:read');
  // Every token that shows the overview may read endpoints, but not each the counts.
  const attention = useAttention();
  return (
    <>
      <PageHead title={texts.overview.title} />
      <SendingHolds holds={attention.data?.sendingHolds} />
      {mayReadCounts && <Counts />}
      <AttentionPanel />
      <StatsPanel />
      <LivePanel />
    </>
  );
}

/** The counts of the workspace. A portal link need not have the permission for them. */
function Counts() {
  const client = useClient();
  const query = useQuery({
    queryKey: ['overview'],
    queryFn: () => client.get('/overview'),
    refetchInterval: pollEvery(REFRESH_MS),
  });
  return <Queried query={query}>{(overview) => <Tiles tiles={countTiles(overview)} />}</Queried>;
}
