import type { components } from '@postrider/client';
import { useQuery } from '@tanstack/react-query';
import { useMay } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { formatShare } from '../ui/format-share.js';
import { PageHead } from '../ui/page-head.js';
import { Queried } from '../ui/queried.js';
import { AttentionPanel } from './attention-panel.js';
import { LivePanel } from './live-panel.js';
import { StatsPanel } from './stats-panel.js';
import { type Tile, Tiles } from './tiles.js';

type Overview = components['schemas']['WorkspaceOverview'];

const REFRESH_MS = 15_000;

export function OverviewPage() {
  const mayReadCounts = useMay('workspace:read');
  return (
    <>
      <PageHead title={texts.overview.title} />
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
    refetchInterval: REFRESH_MS,
  });
  return <Queried query={query}>{(overview) => <Tiles tiles={tilesOf(overview)} />}</Queried>;
}

function tilesOf({ endpoints, last24h }: Overview): readonly Tile[] {
  const { successRate, delivered, pending, failed, failedPermanent, deadLettered, held } = last24h;
  const lost = failedPermanent + deadLettered;
  const day = texts.overview.last24h;
  return [
    {
      name: texts.overview.successRate,
      value: successRate === null ? texts.overview.none : formatShare(successRate),
      note: day,
    },
    { name: texts.deliveries.statuses.delivered, value: count(delivered), note: day },
    {
      name: texts.deliveries.statuses.failed,
      value: count(failed),
      note: texts.overview.pending(pending),
      tone: failed > 0 ? 'warn' : undefined,
    },
    {
      name: texts.deliveries.statuses.failed_permanent,
      value: count(lost),
      note: texts.overview.exhausted(deadLettered),
      tone: lost > 0 ? 'bad' : undefined,
    },
    {
      name: texts.deliveries.held,
      value: count(held),
      note: texts.overview.heldNote,
      tone: held > 0 ? 'hold' : undefined,
    },
    {
      name: texts.overview.enabled,
      value: count(endpoints.enabled),
      note: texts.overview.disabled(endpoints.disabled),
    },
  ];
}

function count(value: number): string {
  return value.toLocaleString(texts.language);
}
