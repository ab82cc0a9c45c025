import { useState } from 'react';
import { useRepeatable } from '../session/use-repeatable.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Countdown } from '../ui/countdown.js';
import { problemTitle } from '../ui/describe-error.js';
import { Dialog } from '../ui/dialog.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { Facts } from '../ui/facts.js';
import { Progress } from '../ui/progress.js';
import { handled, type SelectionResult } from './replay-selected.js';
import { type ReplayedSelection, useReplaySelected } from './use-replay-selected.js';

/** Replays the selected deliveries after a confirmation. The result stays open although the selection is then empty. */
export function ReplaySelectedButton({ ids, onHandled }: Omit<ReplayedSelection, 'sendRepeatable'>) {
  const [isOpen, setOpen] = useState(false);
  // Deliveries that remain selected after an error are replayed again from another dialog.
  const sendRepeatable = useRepeatable();
  return (
    <>
      {ids.length > 0 && (
        <Button look="primary" onPress={() => setOpen(true)}>
          {texts.replays.selected(ids.length)}
        </Button>
      )}
      {isOpen && (
        <ReplaySelectedDialog
          ids={ids}
          sendRepeatable={sendRepeatable}
          onHandled={onHandled}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}

interface ReplaySelectedDialogProps extends ReplayedSelection {
  onClose(): void;
}

/** Stays open during the replay: closed, it could be started again with the same deliveries. */
function ReplaySelectedDialog({ ids, onClose, ...replay }: ReplaySelectedDialogProps) {
  const [selected] = useState(ids);
  const { mutate, error, isIdle, isPending, result, waitsUntil } = useReplaySelected({
    ids: selected,
    ...replay,
  });
  return (
    <Dialog title={texts.replays.describe} onClose={isPending ? null : onClose}>
      {isIdle ? (
        <>
          <p>{texts.replays.selectedHint}</p>
          <Button look="primary" autoFocus onPress={() => mutate()}>
            {texts.replays.confirm(selected.length)}
          </Button>
        </>
      ) : (
        <SoFar result={result} total={selected.length} />
      )}
      {waitsUntil !== null && (
        <p>
          {texts.replays.waiting} <Countdown at={waitsUntil} />
        </p>
      )}
      {error !== null && <ErrorPanel error={error} />}
    </Dialog>
  );
}

function SoFar({ result, total }: { readonly result: SelectionResult; readonly total: number }) {
  const done = handled(result);
  return (
    <>
      <Progress
        label={texts.replays.progress}
        percent={(done / total) * 100}
        detail={texts.replays.done(done, total)}
      />
      <Facts
        items={[
          [texts.replays.replayed, result.replayed],
          ...Object.entries(result.refused).map(
            ([tag, count]) => [`${texts.replays.refused}: ${problemTitle(tag) ?? tag}`, count] as const,
          ),
        ]}
      />
      {done === total && <p role="status">{texts.replays.finished}</p>}
    </>
  );
}
