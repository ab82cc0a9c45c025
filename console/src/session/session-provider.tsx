import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useReducer,
  useState,
} from 'react';
import { openSession } from './open-session.js';
import { type Credential, openSessions } from './open-sessions.js';
import { takePortalToken, watchPortalLinks } from './portal-token.js';
import { currentSession, type Session, type Sessions } from './session.js';
import { linkOf, reduceSessions, startState, tokensOf, workspaceAfterReload } from './session-state.js';
import { storedTokens, storedWorkspace, storeTokens, storeWorkspace } from './stored-tokens.js';

interface SessionActions {
  readonly sessions: Sessions;
  /** Whether tokens are being checked: those of an earlier page or of a portal link. */
  readonly isOpening: boolean;
  /** Why the portal link or a stored token did not open; null when each did or there was none. */
  readonly openingError: unknown;
  /** Null where another attempt cannot succeed. */
  readonly retryOpening: (() => void) | null;
  dismissOpeningError(): void;
  /** A portal link that was opened while a page is shown; null if there is none. */
  readonly waitingLink: Session | null;
  /** Shows the workspace of the waiting link, or forgets it. */
  answerLink(isAccepted: boolean): void;
  /**
   * Shows the workspace of the token.
   * @param leavePage is called once the token is accepted, before the workspace is shown; false to show what is shown already
   * @returns whether the workspace is shown
   * @throws PostriderError when the token is refused
   */
  signIn(credential: Credential, leavePage: () => Promise<boolean>): Promise<boolean>;
  signOut(slug: string): void;
  show(slug: string): void;
}

const SessionContext = createContext<SessionActions | null>(null);

/** Taken once, before React renders for the first time: the address bar must not show it. */
const portalToken = takePortalToken(window.location, window.history);
const onPortalLink = watchPortalLinks(window);

/** What `reduceSessions` decides, with the requests and the storage that it needs. */
export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [start] = useState(() =>
    startState({ stored: storedTokens(), workspace: storedWorkspace(), linkToken: portalToken }),
  );
  const [state, dispatch] = useReducer(reduceSessions, start);

  const check = useCallback(async (credentials: readonly Credential[]) => {
    dispatch({ type: 'checked', credentials, result: await openSessions(credentials, openSession) });
  }, []);

  useEffect(() => {
    if (start.opening.length > 0) void check(start.opening);
  }, [check, start]);

  useEffect(
    () =>
      onPortalLink((token) => {
        const credential = linkOf(token);
        dispatch({ type: 'link_opened', credential });
        void check([credential]);
      }),
    [check],
  );

  useEffect(() => {
    storeTokens(tokensOf(state));
    storeWorkspace(workspaceAfterReload(state));
  }, [state]);

  const answerLink = useCallback(
    (isAccepted: boolean) => dispatch({ type: 'link_answered', isAccepted }),
    [],
  );
  const value = useMemo<SessionActions>(() => {
    const { sessions, opening, unopened, openingError, waitingLink } = state;
    const retry = () => {
      dispatch({ type: 'retried' });
      void check(unopened);
    };
    return {
      sessions,
      isOpening: opening.length > 0,
      openingError,
      retryOpening: unopened.length > 0 ? retry : null,
      dismissOpeningError: () => dispatch({ type: 'error_dismissed' }),
      waitingLink,
      answerLink,
      signIn: async (credential, leavePage) => {
        const session = await openSession(credential);
        if (!(await leavePage())) return false;
        dispatch({ type: 'signed_in', session });
        return true;
      },
      signOut: (slug) => dispatch({ type: 'signed_out', slug }),
      show: (slug) => dispatch({ type: 'shown', slug }),
    };
  }, [state, check, answerLink]);
  return <SessionContext value={value}>{children}</SessionContext>;
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
