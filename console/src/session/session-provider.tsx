import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { openSession } from './open-session.js';
import { type Credential, openSessions } from './open-sessions.js';
import { takePortalToken, watchPortalLinks } from './portal-token.js';
import {
  addOpened,
  addSession,
  currentSession,
  NO_SESSIONS,
  removeSession,
  type Session,
  type Sessions,
} from './session.js';
import { storedTokens, storedWorkspace, storeTokens, storeWorkspace } from './stored-tokens.js';

interface SessionActions {
  readonly sessions: Sessions;
  /** True until the tokens of an earlier page or of the portal link have been checked. */
  readonly isOpening: boolean;
  /** Why the portal link or a stored token did not open; null when each did or there was none. */
  readonly openingError: unknown;
  /** Null where another attempt cannot succeed. */
  readonly retryOpening: (() => void) | null;
  dismissOpeningError(): void;
  /**
   * Shows the workspace of the token.
   * @param leavePage is called once the token is accepted, before the workspace is shown; false to stay
   * @returns whether the workspace is shown
   * @throws PostriderError when the token is refused
   */
  signIn(credential: Credential, leavePage?: () => Promise<boolean>): Promise<boolean>;
  signOut(slug: string): void;
  show(slug: string): void;
}

const SessionContext = createContext<SessionActions | null>(null);

/** Taken once, before React renders for the first time: the address bar must not show it. */
const portalToken = takePortalToken(window.location, window.history);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [sessions, setSessions] = useState(NO_SESSIONS);
  const [unopened, setUnopened] = useState<readonly Credential[]>([]);
  const [isOpening, setOpening] = useState(storedCredentials().length > 0);
  const [openingError, setOpeningError] = useState<unknown>(null);
  const link = useRef(portalToken);

  const open = useCallback(async (credentials: readonly Credential[]) => {
    setOpening(true);
    setOpeningError(null);
    const result = await openSessions(credentials, openSession);
    setSessions((known) =>
      addOpened(known, result.opened, { workspace: storedWorkspace(), link: link.current }),
    );
    setUnopened((known) => [...known.filter((one) => !credentials.includes(one)), ...result.unopened]);
    setOpeningError(result.error);
    setOpening(false);
  }, []);

  useEffect(() => {
    const credentials = storedCredentials();
    if (credentials.length > 0) void open(credentials);
  }, [open]);

  useEffect(
    () =>
      watchPortalLinks(window, (token) => {
        link.current = token;
        void open([{ token, source: 'portal_link' }]);
      }),
    [open],
  );

  useEffect(() => {
    if (isOpening) return;
    storeTokens([...unopened, ...sessions.all]);
    // Another workspace is shown only until the rest can be opened.
    if (unopened.length === 0) storeWorkspace(sessions.current);
  }, [sessions, unopened, isOpening]);

  const value = useMemo<SessionActions>(
    () => ({
      sessions,
      isOpening,
      openingError,
      retryOpening: unopened.length > 0 ? () => void open(unopened) : null,
      dismissOpeningError: () => setOpeningError(null),
      signIn: async (credential, leavePage) => {
        const session = await openSession(credential);
        if ((await leavePage?.()) === false) return false;
        setSessions((known) => addSession(known, session));
        return true;
      },
      signOut: (slug) => setSessions((known) => removeSession(known, slug)),
      show: (slug) => setSessions((known) => ({ ...known, current: slug })),
    }),
    [sessions, unopened, isOpening, openingError, open],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** What the page has when it is loaded. The link is last, so that its workspace is shown. */
function storedCredentials(): readonly Credential[] {
  const stored = storedTokens().filter(({ token }) => token !== portalToken);
  return portalToken === null ? stored : [...stored, { token: portalToken, source: 'portal_link' }];
}

export function useSessions(): SessionActions {
  const value = use(SessionContext);
  if (value === null) throw new Error('useSessions needs a SessionProvider');
  return value;
}

/** The session of the workspace that is shown. Only for pages behind the sign-in. */
export function useSession(): Session {
  const session = currentSession(useSessions().sessions);
  if (session === null) throw new Error('useSession needs a session');
  return session;
}

/** Whether the token of the current session grants the permission. What it does not grant is not offered. */
export function useMay(permission: string): boolean {
  return useSession().permissions.has(permission);
}
