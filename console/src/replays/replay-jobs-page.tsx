import type { components } from '@postrider/client';
import { Link } from '@tanstack/react-router';
import { EndpointCell } from '../endpoint-names/endpoint-link.js';
import { useMay } from '../session/session-provider.js';
import { useList } from '../session/use-list.js';
import { texts } from '../texts/en.js';
import type { Column } from '../ui/data-table.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { Time } from '../ui/time.js';
import { JobStatusBadge } from './job-status-badge.js';

type ReplayJob = components['schemas']['ReplayJob'];

const COLUMNS: readonly Column<ReplayJob>[] = [
  {
    title: texts.replays.created,
    cell: ({ jobId, createdAt }) => (
      <Link to="/replays/$jobId" params={{ jobId }}>
        <Time at={createdAt} />
      </Link>
    ),
  },
  { title: texts.replays.status, cell: ({ status }) => <JobStatusBadge status={status} /> },
  {
    title: texts.replays.kind,
    cell: ({ dryRun }) => (dryRun ? texts.replays.kinds.dryRun : texts.replays.kinds.replay),
  },
  {
    title: texts.replays.endpoint,
    grows: true,
    cell: ({ filter: { endpointId } }) =>
      endpointId === null ? texts.replays.allEndpoints : <EndpointCell endpointId={endpointId} />,
  },
  { title: texts.replays.matched, cell: ({ matched }) => matched?.toLocaleString(texts.language) },
  { title: texts.replays.replayed, cell: ({ replayed }) => replayed.toLocaleString(texts.language) },
];

/** The list is read again while a job in it has not ended. */
const REFRESH_MS = 2_000;

export function ReplayJobsPage() {
  const mayCreate = useMay('replay_job:create');
  const list = useList<ReplayJob>({
    key: ['replay-jobs'],
    everyMs: (jobs) => jobs.some(({ endedAt }) => endedAt === null) && REFRESH_MS,
    fetchPage: (client, query) => client.get('/webhooks/replay-jobs', { params: { query } }),
  });
  return (
    <ListPage
      title={texts.replays.title}
      subtitle={texts.replays.subtitle}
      actions={
        mayCreate && (
          <LinkButton look="primary" to="/replays/new">
            {texts.replays.describe}
          </LinkButton>
        )
      }
      columns={COLUMNS}
      list={list}
      keyOf={({ jobId }) => jobId}
      empty={texts.replays.empty}
      emptyHint={texts.replays.emptyHint}
    />
  );
}
