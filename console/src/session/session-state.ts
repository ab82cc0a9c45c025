import type { Credential, OpenedSessions } from './open-sessions.js';
import { addOpened, addSession, NO_SESSIONS, removeSession, type Session, type Sessions } from './session.js';

/** The tokens of a tab. A token that is refused is in none of the lists. */
export interface SessionState {
  readonly sessions: Sessions;
  /** Being checked. */
  readonly opening: readonly Credential[];
  /** What could not be checked, and can be tried again. */
  readonly unopened: readonly Credential[];
  /** Why a portal link or a stored token did not open; null when each did or there was none. */
  readonly openingError: unknown;
  /** A valid portal link that is not shown before the page may be left; null if there is none. */
  readonly waitingLink: Session | null;
  /** The portal link that was opened last; null if there was none. */
  readonly link: OpenedLink | null;
  /** The slug of the workspace that was chosen last. Another one is shown only until its token is open. */
  readonly chosen: string | null;
}

interface OpenedLink {
  readonly token: string;
  /** Whether a page was shown before. A link that loads the console has no page to leave. */
  readonly isOnPage: boolean;
}

export type SessionAction =
  | { readonly type: 'link_opened'; readonly credential: Credential }
  | { readonly type: 'retried' }
  | { readonly type: 'checked'; readonly credentials: readonly Credential[]; readonly result: OpenedSessions }
  | { readonly type: 'link_answered'; readonly isAccepted: boolean }
  | { readonly type: 'signed_in'; readonly session: Session }
  | { readonly type: 'signed_out'; readonly slug: string }
  | { readonly type: 'shown'; readonly slug: string }
  | { readonly type: 'error_dismissed' };

interface TabStart {
  readonly stored: readonly Credential[];
  /** The slug that is stored. */
  readonly workspace: string | null;
  /** The token of the portal link that has loaded the page; null if there was none. */
  readonly linkToken: string | null;
}

/** What the page has when it is loaded. */
export function startState({ stored, workspace, linkToken }: TabStart): SessionState {
  const others = stored.filter(({ token }) => token !== linkToken);
  return {
    sessions: NO_SESSIONS,
    opening: linkToken === null ? stored : [...others, linkOf(linkToken)],
    unopened: [],
    openingError: null,
    waitingLink: null,
    link: linkToken === null ? null : { token: linkToken, isOnPage: false },
    chosen: workspace,
  };
}

export function linkOf(token: string): Credential {
  return { token, source: 'portal_link' };
}

export function reduceSessions(state: SessionState, action: SessionAction): SessionState {
  const { sessions, opening, unopened, link, waitingLink } = state;
  const choose = (next: Sessions): SessionState => ({ ...state, sessions: next, chosen: next.current });
  switch (action.type) {
    case 'link_opened': {
      const { credential } = action;
      const opened = { token: credential.token, isOnPage: true };
      return { ...state, opening: [...opening, credential], openingError: null, link: opened };
    }
    case 'retried': {
      const retried = link && { ...link, isOnPage: true };
      return {
        ...state,
        opening: [...opening, ...unopened],
        unopened: [],
        openingError: null,
        link: retried,
      };
    }
    case 'checked':
      return withChecked(state, action);
    case 'link_answered': {
      const isShown = action.isAccepted && waitingLink !== null;
      return { ...(isShown ? choose(addSession(sessions, waitingLink)) : state), waitingLink: null };
    }
    case 'signed_in':
      return choose(addSession(sessions, action.session));
    case 'signed_out':
      return choose(removeSession(sessions, action.slug));
    case 'shown':
      return choose({ ...sessions, current: action.slug });
    case 'error_dismissed':
      return { ...state, openingError: null };
  }
}

function withChecked(
  state: SessionState,
  { credentials, result }: Extract<SessionAction, { type: 'checked' }>,
): SessionState {
  const { opening, unopened, link, chosen } = state;
  const all = [...state.sessions.all, ...result.opened];
  const waits = (session: Session) =>
    replacesSignIn(all, session) || (link?.isOnPage === true && session.token === link.token);
  const added = result.opened.filter((session) => !waits(session));
  const sessions = addOpened(state.sessions, added, { chosen, link: link?.token ?? null });
  const stillOpening = opening.filter(({ token }) => !credentials.some((one) => one.token === token));
  const allUnopened = [...unopened, ...result.unopened];
  const isComplete = stillOpening.length === 0 && allUnopened.length === 0;
  return {
    ...state,
    sessions,
    opening: stillOpening,
    unopened: allUnopened,
    chosen: isComplete ? sessions.current : chosen,
    openingError: result.error,
    waitingLink: result.opened.findLast(waits) ?? state.waitingLink,
  };
}

/** Whether a portal link leads to a workspace that the tab is signed in to with an API token, which it would replace. */
export function replacesSignIn(all: readonly Session[], { source, workspace }: Session): boolean {
  const isSignedIn = all.some((one) => one.source === 'sign_in' && one.workspace.slug === workspace.slug);
  return source === 'portal_link' && isSignedIn;
}

/** The tokens to store, so that a reload loses none, whatever has been checked by then. A link is last. */
export function tokensOf({ sessions, waitingLink, unopened, opening }: SessionState): readonly Credential[] {
  return [...sessions.all, ...unopened, ...opening, ...(waitingLink === null ? [] : [waitingLink])];
}

/** The workspace that a reload shows, if its token is valid then; null for that of the last token, a link that is not shown yet. */
export function workspaceAfterReload(state: SessionState): string | null {
  const { link, unopened, opening, waitingLink, chosen } = state;
  const pending = [...unopened, ...opening, ...(waitingLink === null ? [] : [waitingLink])];
  return pending.some(({ token }) => token === link?.token) ? null : chosen;
}
