/** A signed-in token and what it permits. */
export interface Session {
  readonly token: string;
  readonly workspace: { readonly slug: string; readonly name: string };
  readonly source: 'sign_in' | 'portal_link';
  /** Those that the token can use. */
  readonly permissions: ReadonlySet<string>;
  /** The only endpoints that a portal link shows; null for all of the workspace. */
  readonly endpointIds: readonly string[] | null;
  /** Null where the token does not expire. */
  readonly expiresAt: string | null;
}

/** The sessions of this tab. Signing in to a workspace again replaces its session. */
export interface Sessions {
  readonly all: readonly Session[];
  /** The slug of the workspace that is shown; null before the first sign-in. */
  readonly current: string | null;
}

export const NO_SESSIONS: Sessions = { all: [], current: null };

export function addSession({ all }: Sessions, session: Session): Sessions {
  const others = all.filter(({ workspace }) => workspace.slug !== session.workspace.slug);
  return { all: [...others, session], current: session.workspace.slug };
}

interface ShownBefore {
  /** The slug of the workspace that was shown. */
  readonly workspace: string | null;
  /** The token of the portal link that was opened last, if any. */
  readonly link: string | null;
}

/** Adds sessions of tokens that the page had when it was loaded, and shows what was shown before, unless a link was opened. */
export function addOpened(known: Sessions, opened: readonly Session[], before: ShownBefore): Sessions {
  const sessions = opened.reduce(addSession, known);
  const isLinkOpened = opened.at(-1)?.token === before.link;
  const isOpened = opened.some(({ workspace }) => workspace.slug === before.workspace);
  return isOpened && !isLinkOpened ? { ...sessions, current: before.workspace } : sessions;
}

/** Shows another workspace next, if there is one. */
export function removeSession({ all, current }: Sessions, slug: string): Sessions {
  const others = all.filter(({ workspace }) => workspace.slug !== slug);
  return { all: others, current: current === slug ? (others.at(-1)?.workspace.slug ?? null) : current };
}

export function currentSession({ all, current }: Sessions): Session | null {
  return all.find(({ workspace }) => workspace.slug === current) ?? null;
}
