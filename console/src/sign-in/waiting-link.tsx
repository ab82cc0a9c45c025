import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect } from 'react';
import { useSessions } from '../session/session-provider.js';
import { replacesSignIn } from '../session/session-state.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Dialog } from '../ui/dialog.js';
import { mayLeave } from '../ui/leave-guards.js';

/** Shows a portal link that was opened while a page is shown, once the page may be left and no sign-in is lost. */
export function WaitingLink() {
  const { sessions, waitingLink, answerLink } = useSessions();
  const navigate = useNavigate();
  const show = useCallback(async () => {
    const isLeft = await mayLeave();
    // What the address names may not exist in the other workspace.
    if (isLeft) await navigate({ to: '/', replace: true, ignoreBlocker: true });
    answerLink(isLeft);
  }, [navigate, answerLink]);
  const isQuestion = waitingLink !== null && replacesSignIn(sessions.all, waitingLink);
  const isShown = waitingLink !== null && !isQuestion;
  useEffect(() => {
    if (isShown) void show();
  }, [isShown, show]);
  if (!isQuestion) return null;
  return (
    <Dialog title={texts.link.title} closeLabel={texts.link.keep} onClose={() => answerLink(false)}>
      <p>{texts.link.replaces(waitingLink.workspace.name)}</p>
      <div>
        <Button look="danger" onPress={() => void show()}>
          {texts.link.open}
        </Button>
      </div>
    </Dialog>
  );
}
