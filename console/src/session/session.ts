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

interface Shown {
  /** The slug of the workspace that was chosen last. */
  readonly chosen: string | null;
  /** The token of the portal link that was opened last, if any. */
  readonly link: string | null;
}

/** Adds opened sessions, and shows the link that was opened, or else what was chosen, or else what is shown already. */
export function addOpened(known: Sessions, opened: readonly Session[], { chosen, link }: Shown): Sessions {
  const sessions = opened.reduce(addSession, known);
  const ofLink = opened.find(({ token }) => token === link);
  const ofChoice = sessions.all.find(({ workspace }) => workspace.slug === chosen);
  const shown = ofLink ?? ofChoice ?? currentSession(known);
  return shown === null ? sessions : { ...sessions, current: shown.workspace.slug };
}

/** Shows another workspace next, if there is one. */
export function removeSession({ all, current }: Sessions, slug: string): Sessions {
  const others = all.filter(({ workspace }) => workspace.slug !== slug);
  return { all: others, current: current === slug ? (others.at(-1)?.workspace.slug ?? null) : current };
}

export function currentSession({ all, current }: Sessions): Session | null {
  return all.find(({ workspace }) => workspace.slug === current) ?? null;
}
