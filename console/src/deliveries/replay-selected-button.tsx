import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../session/use-client.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { Facts } from '../ui/facts.js';
import { Progress } from '../ui/progress.js';
import { handled, NOTHING_YET, replaySelected } from './replay-selected.js';

interface ReplaySelectedProps {
  readonly ids: readonly string[];
  onDone(): void;
}

/** Replays the selected deliveries after a confirmation. The result stays open although the selection is then empty. */
export function ReplaySelectedButton({ ids, onDone }: ReplaySelectedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {ids.length > 0 && (
        <Button look="primary" onPress={() => setOpen(true)}>
          {texts.replays.selected(ids.length)}
        </Button>
      )}
      {isOpen && (
        <Dialog title={texts.replays.describe} onClose={() => setOpen(false)}>
          <ReplaySelected ids={ids} onDone={onDone} />
        </Dialog>
      )}
    </>
  );
}

function ReplaySelected({ ids, onDone }: ReplaySelectedProps) {
  const client = useClient();
  const queries = useQueryClient();
  const [selected] = useState(ids);
  const [result, setResult] = useState(NOTHING_YET);
  const { mutate, error, isIdle } = useMutation({
    mutationFn: () =>
      replaySelected(
        selected,
        (deliveryId) =>
          client.post('/webhooks/deliveries/{deliveryId}/replay', { params: { path: { deliveryId } } }),
        setResult,
      ),
    onSettled: () => {
      onDone();
      return queries.invalidateQueries({ queryKey: ['deliveries'] });
    },
  });
  const done = handled(result);
  if (isIdle) {
    return (
      <>
        <p>{texts.replays.selectedHint}</p>
        <Button look="primary" autoFocus onPress={() => mutate()}>
          {texts.replays.confirm(selected.length)}
        </Button>
      </>
    );
  }
  return (
    <>
      <Progress
        label={texts.replays.progress}
        percent={(done / selected.length) * 100}
        detail={texts.replays.done(done, selected.length)}
      />
      <Facts
        items={[
          [texts.replays.replayed, result.replayed],
          ...Object.entries(result.refused).map(
            ([tag, count]) => [`${texts.replays.refused}: ${describeTag(tag)}`, count] as const,
          ),
        ]}
      />
      {error !== null && <ErrorPanel error={error} />}
      {done === selected.length && <p role="status">{texts.replays.finished}</p>}
    </>
  );
}

function describeTag(tag: string): string {
  return tag in texts.problems ? texts.problems[tag as keyof typeof texts.problems] : tag;
}
