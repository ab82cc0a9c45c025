import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useSession } from '../session/session-provider.js';
import { useClient } from '../session/use-client.js';
import { useRepeatableMutation } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { NotPermitted } from '../ui/not-permitted.js';
import { PageHead } from '../ui/page-head.js';
import { Panel } from '../ui/panel.js';
import { DryRunResult } from './dry-run-result.js';
import { draftOf, dryRunOf, type ReplayDraft } from './replay-draft.js';
import { ReplayForm } from './replay-form.js';

/** Describes a set of deliveries, counts it, and replays it after a confirmation. */
export function NewReplayPage() {
  const client = useClient();
  const { permissions, endpointIds } = useSession();
  const [draft, setDraft] = useState(draftOf(useSearch({ from: '/replays/new' }), endpointIds));
  const { mutate, data, error, isPending, reset } = useRepeatableMutation({
    send: ({ header, firstSentMs }, described: ReplayDraft) =>
      client.post('/webhooks/replay-jobs', { params: { header }, body: dryRunOf(described, firstSentMs) }),
  });
  /** A count is about what was counted, so an edit removes it. */
  const edit = (changes: Partial<ReplayDraft>) => {
    setDraft({ ...draft, ...changes });
    reset();
  };
  return (
    <>
      <PageHead title={texts.replays.newTitle} subtitle={texts.replays.newSubtitle} />
      <Panel title={texts.replays.which}>
        {permissions.has('replay_job:create') ? (
          <ReplayForm
            draft={draft}
            error={error}
            isPending={isPending}
            onChange={edit}
            onSubmit={() => mutate(draft)}
          />
        ) : (
          <NotPermitted />
        )}
      </Panel>
      {error !== null && <ErrorPanel error={error} />}
      {data !== undefined && (
        <DryRunResult key={data.jobId} started={data} onCountAgain={() => mutate(draft)} />
      )}
    </>
  );
}
