import { PostriderError, type ProblemTag } from '@postrider/client';
import { expect } from 'chai';
import { type Credential, openSessions } from '../src/session/open-sessions.js';
import { addOpened, NO_SESSIONS, type Session } from '../src/session/session.js';
import {
  reduceSessions,
  type SessionAction,
  type SessionState,
  startState,
  tokensOf,
  workspaceAfterReload,
} from '../src/session/session-state.js';

const sessionOf = ({ token, source }: Credential): Session => ({
  token,
  source,
  workspace: { slug: token, name: token },
  permissions: new Set(),
  endpointIds: null,
  expiresAt: null,
});
const refusal = (status: number, tag: ProblemTag) =>
  new PostriderError({ type: 'urn:x', title: 'x', status, detail: 'x', tag, traceId: 'x' });
const typed = (token: string): Credential => ({ token, source: 'sign_in' });
const linked = (token: string): Credential => ({ token, source: 'portal_link' });

describe('opening of sessions', () => {
  const failing = (errors: Readonly<Record<string, unknown>>) => async (credential: Credential) => {
    if (credential.token in errors) throw errors[credential.token];
    return sessionOf(credential);
  };

  it('drops a stored token only when it is invalid', async () => {
    const limited = refusal(429, 'RateLimited');
    const open = failing({
      ended: refusal(401, 'Unauthorized'),
      limited,
      offline: new TypeError('fetch failed'),
    });
    const credentials = [typed('ended'), typed('limited'), typed('offline'), typed('a')];
    const { opened, unopened, error } = await openSessions(credentials, open);
    expect(opened.map(({ token }) => token)).to.deep.equal(['a']);
    expect(unopened.map(({ token }) => token)).to.deep.equal(['limited', 'offline']);
    expect(error).to.equal(limited);
  });

  // Regression: a portal link was opened after all stored tokens, each of which could take half a minute.
  it('asks for all at the same time, and keeps their order', async () => {
    const asked: string[] = [];
    const first = Promise.withResolvers<void>();
    const opening = openSessions([typed('a'), linked('b')], async (credential) => {
      asked.push(credential.token);
      if (credential.token === 'a') await first.promise;
      return sessionOf(credential);
    });
    expect(asked).to.deep.equal(['a', 'b']);
    first.resolve();
    expect((await opening).opened.map(({ token }) => token)).to.deep.equal(['a', 'b']);
  });

  it('reports an invalid portal link, but not a stored token that has ended', async () => {
    const ended = refusal(401, 'Unauthorized');
    const open = failing({ ended });
    expect((await openSessions([typed('ended')], open)).error).to.equal(null);
    expect((await openSessions([linked('ended')], open)).error).to.equal(ended);
  });
});

describe('opened sessions', () => {
  const currentOf = (credentials: readonly Credential[], chosen: string | null, link: string | null = null) =>
    addOpened(NO_SESSIONS, credentials.map(sessionOf), { chosen, link }).current;

  it('show the workspace that was shown before', () => {
    expect(currentOf([typed('a'), typed('b')], 'a')).to.equal('a');
    expect(currentOf([typed('a'), typed('b')], 'ended')).to.equal('b');
    expect(currentOf([typed('a'), typed('b')], null)).to.equal('b');
  });

  it('show the workspace of a link that was opened', () => {
    expect(currentOf([typed('a'), linked('b')], 'a', 'b')).to.equal('b');
  });

  it('show the workspace that was shown before when a stored link is opened again', () => {
    expect(currentOf([typed('a'), linked('b')], 'a')).to.equal('a');
    expect(currentOf([typed('a')], 'a', 'ended')).to.equal('a');
  });

  // Regression: another attempt with the token of a second workspace showed it instead.
  it('leave the workspace as it is that is shown', () => {
    const known = { all: [typed('a'), typed('b')].map(sessionOf), current: 'a' };
    expect(addOpened(known, [sessionOf(typed('c'))], { chosen: null, link: null }).current).to.equal('a');
  });
});

describe('sessions of a tab', () => {
  const start = (stored: readonly Credential[], linkToken: string | null, workspace: string | null = null) =>
    startState({ stored, workspace, linkToken });
  const after = (state: SessionState, ...actions: readonly SessionAction[]) =>
    actions.reduce(reduceSessions, state);
  const checked = (
    credentials: readonly Credential[],
    {
      opened = credentials.map(sessionOf),
      unopened = [] as readonly Credential[],
      error = null as unknown,
    } = {},
  ): SessionAction => ({ type: 'checked', credentials, result: { opened, unopened, error } });
  const stored = (state: SessionState) => tokensOf(state).map(({ token }) => token);
  const sessionIn = (slug: string, credential: Credential): Session => ({
    ...sessionOf(credential),
    workspace: { slug, name: slug },
  });

  // Regression: a reload while a portal link was checked had forgotten it.
  it('store a link before it is checked, and show it after a reload', () => {
    const state = start([typed('a')], 'b', 'a');
    expect(stored(state)).to.deep.equal(['a', 'b']);
    expect(workspaceAfterReload(state)).to.equal(null);
    const opened = after(state, checked(state.opening));
    expect(opened.sessions.current).to.equal('b');
    expect([stored(opened), workspaceAfterReload(opened)]).to.deep.equal([['a', 'b'], 'b']);
  });

  it('keep a token that could not be checked, and show its workspace again once it is open', () => {
    const state = start([typed('a'), typed('b')], null, 'b');
    const error = new TypeError('offline');
    const partly = after(
      state,
      checked(state.opening, { opened: [sessionOf(typed('a'))], unopened: [typed('b')], error }),
    );
    expect(partly).to.deep.include({ opening: [], unopened: [typed('b')], openingError: error });
    expect([stored(partly), partly.sessions.current, workspaceAfterReload(partly)]).to.deep.equal([
      ['a', 'b'],
      'a',
      'b',
    ]);
    const again = after(partly, { type: 'retried' });
    expect(again).to.deep.include({ opening: [typed('b')], unopened: [], openingError: null });
    expect(after(again, checked(again.opening)).sessions.current).to.equal('b');
  });

  it('forget a token that is not valid', () => {
    const state = start([typed('a')], null, 'a');
    expect(stored(after(state, checked(state.opening, { opened: [] })))).to.deep.equal([]);
  });

  // Regression: a link that was opened in a loaded tab replaced the page without a question.
  it('let a link that is opened on a page wait until it is answered', () => {
    const state = after(start([typed('a')], null), checked([typed('a')]));
    const waiting = after(state, { type: 'link_opened', credential: linked('b') }, checked([linked('b')]));
    expect(waiting.sessions.current).to.equal('a');
    expect(waiting.waitingLink?.token).to.equal('b');
    expect([stored(waiting), workspaceAfterReload(waiting)]).to.deep.equal([['a', 'b'], null]);
    const refused = after(waiting, { type: 'link_answered', isAccepted: false });
    expect([stored(refused), refused.sessions.current]).to.deep.equal([['a'], 'a']);
    const accepted = after(waiting, { type: 'link_answered', isAccepted: true });
    expect([stored(accepted), accepted.sessions.current]).to.deep.equal([['a', 'b'], 'b']);
    expect(accepted.waitingLink).to.equal(null);
  });

  // Regression: the API token was lost without a question.
  it('let a link wait that would replace a sign-in, also after a reload', () => {
    for (const state of [start([typed('a')], 'b'), start([typed('a'), linked('b')], null)]) {
      const opened = [sessionIn('acme', typed('a')), sessionIn('acme', linked('b'))];
      const waiting = after(state, checked(state.opening, { opened }));
      expect(waiting.sessions.all.map(({ token }) => token)).to.deep.equal(['a']);
      const accepted = after(waiting, { type: 'link_answered', isAccepted: true });
      expect(stored(accepted)).to.deep.equal(['b']);
    }
  });

  it('let a link replace another link to the same workspace', () => {
    const state = start([linked('a')], 'b');
    const opened = [sessionIn('acme', linked('a')), sessionIn('acme', linked('b'))];
    expect(stored(after(state, checked(state.opening, { opened })))).to.deep.equal(['b']);
  });

  it('follow what a person chooses', () => {
    const state = after(start([typed('a'), typed('b')], null), checked([typed('a'), typed('b')]));
    expect(workspaceAfterReload(after(state, { type: 'shown', slug: 'a' }))).to.equal('a');
    const signedIn = after(state, { type: 'signed_in', session: sessionOf(typed('c')) });
    expect(workspaceAfterReload(signedIn)).to.equal('c');
    const signedOut = after(signedIn, { type: 'signed_out', slug: 'c' });
    expect([stored(signedOut), workspaceAfterReload(signedOut)]).to.deep.equal([['a', 'b'], 'b']);
  });
});
