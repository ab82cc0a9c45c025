import { currentSession } from '../session/session.js';
import { useSessions } from '../session/session-provider.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { IsLinkSession } from '../ui/link-ended.js';

/** Why the portal link or a stored token did not open, if so. */
export function OpeningError() {
  const { sessions, openingError, retryOpening, dismissOpeningError } = useSessions();
  if (openingError === null) return null;
  return (
    // A stored token that is not valid is dropped without an error, so that one of those is about the link.
    <IsLinkSession value={true}>
      <ErrorPanel
        error={openingError}
        onRetry={retryOpening ?? undefined}
        onDismiss={currentSession(sessions) === null ? undefined : dismissOpeningError}
      />
    </IsLinkSession>
  );
}
