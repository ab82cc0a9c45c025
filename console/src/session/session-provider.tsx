import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from 'react';
import { openSession } from './open-session.js';
import { takePortalToken } from './portal-token.js';
import {
  addSession,
  currentSession,
  NO_SESSIONS,
  removeSession,
  type Session,
  type Sessions,
} from './session.js';
import { storedTokens, storeTokens } from './stored-tokens.js';

interface SessionActions {
  readonly sessions: Sessions;
  /** True until the tokens of an earlier page or of the portal link have been checked. */
  readonly isOpening: boolean;
  /** Why the portal link did not open; null when it did or there was none. */
  readonly openingError: unknown;
  /** @throws PostriderError when the token is refused */
  signIn(input: Pick<Session, 'token' | 'source'>): Promise<void>;
  signOut(slug: string): void;
  show(slug: string): void;
}

const SessionContext = createContext<SessionActions | null>(null);

/** Taken once, before React renders for the first time: the address bar must not show it. */
const portalToken = takePortalToken(window.location, window.history);

export function SessionProvider({ children }: { readonly children: ReactNode }) {
  const [sessions, setSessions] = useState(NO_SESSIONS);
  const [isOpening, setOpening] = useState(portalToken !== null || storedTokens().length > 0);
  const [openingError, setOpeningError] = useState<unknown>(null);

  const signIn = useCallback(async (input: Pick<Session, 'token' | 'source'>) => {
    const session = await openSession(input);
    setSessions((known) => addSession(known, session));
  }, []);

  useEffect(() => {
    void reopen(signIn).then((error) => {
      setOpeningError(error);
      setOpening(false);
    });
  }, [signIn]);

  useEffect(() => {
    if (!isOpening) storeTokens(tokensToStore(sessions));
  }, [sessions, isOpening]);

  const value = useMemo<SessionActions>(
    () => ({
      sessions,
      isOpening,
      openingError,
      signIn,
      signOut: (slug) => setSessions((known) => removeSession(known, slug)),
      show: (slug) => setSessions((known) => ({ ...known, current: slug })),
    }),
    [sessions, isOpening, openingError, signIn],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** @returns the error of the portal link; a stored token that is no longer valid is dropped */
async function reopen(signIn: SessionActions['signIn']): Promise<unknown> {
  for (const token of storedTokens()) await signIn({ token, source: 'sign_in' }).catch(() => undefined);
  if (portalToken === null) return null;
  return signIn({ token: portalToken, source: 'portal_link' }).then(
    () => null,
    (error: unknown) => error,
  );
}

function tokensToStore({ all }: Sessions): readonly string[] {
  return all.flatMap(({ source, token }) => (source === 'sign_in' ? [token] : []));
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
