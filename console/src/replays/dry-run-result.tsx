import type { components } from '@postrider/client';
import { useNavigate } from '@tanstack/react-router';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { Facts } from '../ui/facts.js';
import { Panel } from '../ui/panel.js';
import { Progress } from '../ui/progress.js';
import { Queried } from '../ui/queried.js';
import { Examples } from './examples.js';
import { jobOf } from './replay-draft.js';
import styles from './replays.module.css';
import { skippedFacts, skippedOf } from './skipped.js';
import { useReplayJob } from './use-replay-job.js';

type ReplayJob = components['schemas']['ReplayJob'];

interface DryRunResultProps {
  readonly started: ReplayJob;
  /** Starts another dry run of the same set. */
  onCountAgain(): void;
}

/** What a dry run has counted, with examples, and the button that replays it. */
export function DryRunResult({ started, onCountAgain }: DryRunResultProps) {
  const query = useReplayJob(started.jobId);
  return (
    <Panel title={texts.replays.counted}>
      <Queried query={query}>{(job) => <Counted job={job} onCountAgain={onCountAgain} />}</Queried>
    </Panel>
  );
}

interface CountedProps extends Pick<DryRunResultProps, 'onCountAgain'> {
  readonly job: ReplayJob;
}

/** Only a dry run that has succeeded has the number of matches: one that ended early has what it got to. */
function Counted({ job, onCountAgain }: CountedProps) {
  const { status, matched } = job;
  if (status === 'cancelled' || status === 'failed')
    return (
      <>
        <p role="status">{texts.replays.notCounted[status]}</p>
        <div>
          <Button onPress={onCountAgain}>{texts.replays.countAgain}</Button>
        </div>
      </>
    );
  return status === 'succeeded' && matched !== null ? (
    <Confirmation job={job} matched={matched} />
  ) : (
    <Progress label={texts.replays.counting} percent={null} detail="" />
  );
}

/** The button stays disabled after its success: the page of the job may still be loading. */
function Confirmation({ job, matched }: { readonly job: ReplayJob; readonly matched: number }) {
  const client = useClient();
  const navigate = useNavigate();
  const { mutate, error, isPending, isSuccess } = useRepeatableMutation({
    send: ({ header }) =>
      client.post('/webhooks/replay-jobs', {
        params: { header },
        body: jobOf(job.filter, job.ratePerSecond),
      }),
  });
  const replay = () =>
    mutate(undefined, {
      onSuccess: ({ jobId }) => void navigate({ to: '/replays/$jobId', params: { jobId } }),
    });
  if (matched === 0) return <p role="status">{texts.replays.nothingMatches}</p>;
  const skipped = skippedOf(job);
  const sent = matched - skipped;
  return (
    <>
      <p role="status" className={styles.count}>
        {texts.replays.matches(matched)}
      </p>
      {skipped === 0 ? (
        <p>{texts.replays.matchesOnly}</p>
      ) : (
        <>
          <p>{texts.replays.wouldBeSent(sent, skipped)}</p>
          <Facts items={skippedFacts(job)} />
        </>
      )}
      {sent > 0 && <p>{texts.replays.duration(sent, job.ratePerSecond)}</p>}
      <Examples filter={job.filter} />
      {error !== null && <ErrorPanel error={error} />}
      {sent > 0 && (
        <div>
          <Button look="primary" isDisabled={isPending || isSuccess} onPress={replay}>
            {skipped === 0 ? texts.replays.confirmMatches(matched) : texts.replays.confirm(sent)}
          </Button>
        </div>
      )}
    </>
  );
}
