import type { components } from '@postrider/client';
import { useParams } from '@tanstack/react-router';
import { texts } from '../texts/en.js';
import { CopiedId } from '../ui/copied-id.js';
import { Facts } from '../ui/facts.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { Progress } from '../ui/progress.js';
import { Queried } from '../ui/queried.js';
import { Time } from '../ui/time.js';
import { CancelJobButton } from './cancel-job-button.js';
import { JobFilter } from './job-filter.js';
import { jobProgress } from './job-progress.js';
import { JobStatusBadge } from './job-status-badge.js';
import { useReplayJob } from './use-replay-job.js';

type ReplayJob = components['schemas']['ReplayJob'];

const ONE_DIGIT = new Intl.NumberFormat(texts.language, { maximumFractionDigits: 1 });

export function ReplayJobPage() {
  const { jobId } = useParams({ from: '/replays/$jobId' });
  const query = useReplayJob(jobId);
  return (
    <>
      <PageHead
        title={query.data?.dryRun ? texts.replays.kinds.dryRun : texts.replays.kinds.replay}
        subtitle={
          <CopiedId id={jobId} label={texts.delivery.copyId}>
            <code>{jobId}</code>
          </CopiedId>
        }
        actions={query.data?.endedAt === null && <CancelJobButton job={query.data} />}
      />
      <Queried query={query}>
        {(job) => (
          <>
            <Panel title={texts.replays.progress} actions={<JobStatusBadge status={job.status} />}>
              <JobState job={job} />
            </Panel>
            <Panel title={texts.replays.result}>
              <Result job={job} />
            </Panel>
            <Panel title={texts.replays.which}>
              <JobFilter filter={job.filter} />
            </Panel>
          </>
        )}
      </Queried>
    </>
  );
}

function JobState({ job }: { readonly job: ReplayJob }) {
  const { done, percent, perSecond, isWaiting } = jobProgress(job, Date.now());
  const { status, ratePerSecond, startedAt, endedAt } = job;
  return (
    <>
      <Progress
        label={texts.replays.statuses[status]}
        percent={job.dryRun && endedAt !== null ? 100 : percent}
        detail={detailOf(job, done)}
      />
      {status === 'paused' && <p>{texts.replays.pausedHint}</p>}
      {isWaiting && <p>{texts.replays.waitingForLate}</p>}
      <Facts
        items={[
          ...(perSecond === null
            ? []
            : [
                [
                  texts.replays.speed,
                  texts.replays.perSecond(ONE_DIGIT.format(perSecond), ratePerSecond),
                ] as const,
              ]),
          [texts.replays.started, startedAt !== null && <Time key="started" at={startedAt} />],
          [texts.replays.ended, endedAt !== null && <Time key="ended" at={endedAt} />],
        ]}
      />
    </>
  );
}

/** A dry run that ended early has not counted all matches. */
function detailOf({ dryRun, matched, status }: ReplayJob, done: number): string {
  if (matched === null) return '';
  if (!dryRun) return texts.replays.done(done, matched);
  return status === 'cancelled' || status === 'failed' ? '' : texts.replays.matches(matched);
}

function Result({ job: { replayed, skipped } }: { readonly job: ReplayJob }) {
  const { skippedReasons } = texts.replays;
  return (
    <Facts
      items={[
        [texts.replays.replayed, replayed.toLocaleString(texts.language)],
        ...(Object.keys(skippedReasons) as (keyof typeof skippedReasons)[]).map(
          (reason) => [skippedReasons[reason], skipped[reason].toLocaleString(texts.language)] as const,
        ),
      ]}
    />
  );
}
