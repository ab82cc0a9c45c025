import { type ShouldBlockFn, useBlocker, useRouter } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import { texts } from '../texts/en.js';
import { Button } from './button.js';
import { Dialog } from './dialog.js';
import { leaveState, watchLeaveState } from './leave-guards.js';

const isOtherPage: ShouldBlockFn = ({ current, next }) => current.pathname !== next.pathname;

/**
 * Asks before a guarded page is left. It is a dialog of the console, because a browser may suppress its own ones. The question
 * before a reload is the browser's.
 */
export function LeaveQuestion() {
  const { isGuarded, answer } = useSyncExternalStore(watchLeaveState, leaveState);
  const blocker = useBlocker({
    shouldBlockFn: isOtherPage,
    enableBeforeUnload: isGuarded,
    disabled: !isGuarded,
    withResolver: true,
  });
  const { history } = useRouter();
  useEffect(() => {
    if (blocker.status !== 'blocked') return undefined;
    // The page is shown again, as by Back and then Forward. Refusing the step back would now take a second step forward; a link
    // would still be followed if it were permitted.
    const end = blocker.action === 'PUSH' || blocker.action === 'REPLACE' ? blocker.reset : blocker.proceed;
    return history.subscribe(end);
  }, [blocker, history]);
  if (blocker.status === 'idle' && answer === null) return null;
  const decide = (mayLeave: boolean) => {
    answer?.(mayLeave);
    if (mayLeave) blocker.proceed?.();
    else blocker.reset?.();
  };
  return (
    <Dialog title={texts.leaving.title} closeLabel={texts.leaving.stay} onClose={() => decide(false)}>
      <p>{texts.leaving.loss}</p>
      <div>
        <Button look="danger" onPress={() => decide(true)}>
          {texts.leaving.leave}
        </Button>
      </div>
    </Dialog>
  );
}
