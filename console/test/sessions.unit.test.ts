import { PostriderError, type ProblemTag } from '@postrider/client';
import { expect } from 'chai';
import { type Credential, openSessions } from '../src/session/open-sessions.js';
import { addOpened, NO_SESSIONS, type Session } from '../src/session/session.js';

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

  it('reports an invalid portal link, but not a stored token that has ended', async () => {
    const ended = refusal(401, 'Unauthorized');
    const open = failing({ ended });
    expect((await openSessions([typed('ended')], open)).error).to.equal(null);
    expect((await openSessions([linked('ended')], open)).error).to.equal(ended);
  });
});

describe('opened sessions', () => {
  const currentOf = (
    credentials: readonly Credential[],
    workspace: string | null,
    link: string | null = null,
  ) => addOpened(NO_SESSIONS, credentials.map(sessionOf), { workspace, link }).current;

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
});
