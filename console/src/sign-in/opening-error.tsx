import { currentSession } from '../session/session.js';
import { useSessions } from '../session/session-provider.js';
import { ErrorPanel } from '../ui/error-panel.js';

/** Why the portal link or a stored token did not open, if so. */
export function OpeningError() {
  const { sessions, openingError, retryOpening, dismissOpeningError } = useSessions();
  if (openingError === null) return null;
  return (
    <ErrorPanel
      error={openingError}
      onRetry={retryOpening ?? undefined}
      onDismiss={currentSession(sessions) === null ? undefined : dismissOpeningError}
    />
  );
}
