import { currentSession } from '../session/session.js';
import { useSessions } from '../session/session-provider.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { mayLeave } from '../ui/leave-guards.js';
import { IsLinkSession } from '../ui/link-ended.js';

/** Why the portal link or a stored token did not open, if so. */
export function OpeningError() {
  const { sessions, openingError, retryOpening, dismissOpeningError } = useSessions();
  if (openingError === null) return null;
  // Another workspace may be shown then.
  const retry = retryOpening && (() => void mayLeave().then((isLeft) => isLeft && retryOpening()));
  return (
    // A stored token that is not valid is dropped without an error, so that one of those is about the link.
    <IsLinkSession value={true}>
      <ErrorPanel
        error={openingError}
        onRetry={retry ?? undefined}
        onDismiss={currentSession(sessions) === null ? undefined : dismissOpeningError}
      />
    </IsLinkSession>
  );
}
