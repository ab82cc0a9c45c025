import { aMember, aWorkspace } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import type { JWTPayload } from 'jose';
import { createMemberAuthenticator } from '../../src/access-tokens/authenticate-member.js';
import { KeysUnavailable } from '../../src/access-tokens/key-set.js';
import { type RefusedReason, RefusedToken } from '../../src/access-tokens/refused-token.js';
import { createTokenBrake, TooManyUnknownTokens } from '../../src/rate-limits/token-brake.js';
import { CLAIMS, NOW_S, SETTINGS } from './settings.js';

const JWT = 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZGEifQ.c2lnbmF0dXJl';
const ADA = { member: aMember({ role: 'member' }), workspace: aWorkspace() };

describe('authentication of members', () => {
  /** An authenticator whose tokens have these claims, or fail with this error, which a function chooses for each lookup. */
  const members = (given: JWTPayload | Error | (() => JWTPayload | Error), limit = 0) => {
    const counted: RefusedReason[] = [];
    const seen = { verified: 0, members: [] as string[], others: [] as (string | undefined)[] };
    const authenticate = createMemberAuthenticator({
      settings: SETTINGS,
      async verify() {
        seen.verified += 1;
        const outcome = typeof given === 'function' ? given() : given;
        if (outcome instanceof Error) throw outcome;
        return outcome;
      },
      directory: {
        async memberByEmail(slug, email) {
          seen.members.push(`${slug} ${email}`);
          return slug === 'acme' && email === 'ada@example.com' ? ADA : null;
        },
      },
      brake: createTokenBrake({ limit, monotonicMs: () => 0 }),
      countRefused: (reason) => counted.push(reason),
      async otherwise({ authorization }) {
        seen.others.push(authorization);
        return { credential: null, workspace: null, refusal: null };
      },
    });
    const send = (token: string) =>
      authenticate({ authorization: `Bearer ${token}`, slug: null, address: '203.0.113.7' });
    return { send, counted, seen };
  };

  it('makes the member the caller, with role, scopes and end of the token', async () => {
    const { send, counted } = members(CLAIMS);
    expect(await send(JWT)).to.deep.equal({
      credential: {
        type: 'member',
        id: ADA.member.id,
        workspaceId: ADA.workspace.id,
        scopes: ['read', 'webhook:test'],
        role: 'member',
        expiresAt: new Date((NOW_S + 600) * 1_000),
        endpointIds: null,
      },
      workspace: ADA.workspace,
      refusal: null,
    });
    expect(counted).to.be.empty;
  });

  it('fails with an error that is neither a refusal nor a failed fetch of keys, and counts nothing', async () => {
    const { send, counted } = members(new TypeError('a bug'));
    const error = await send(JWT).catch((err: unknown) => err);
    expect(error).to.be.instanceOf(TypeError);
    expect(counted).to.be.empty;
  });

  it('leaves all other bearers to the usual authentication', async () => {
    const { send, seen } = members(CLAIMS);
    for (const token of ['prt_abc', 'a.b', 'a.b.c.d.e', 'a..c']) await send(token);
    expect([seen.verified, seen.others.length]).to.deep.equal([0, 4]);
  });

  for (const [claims, tag, reason] of [
    [{ ...CLAIMS, scope: 'openid' }, 'InsufficientScope', 'scope'],
    [{ ...CLAIMS, email_verified: false }, 'NotAMember', 'member'],
    [{ ...CLAIMS, email: 'eve@example.com' }, 'NotAMember', 'member'],
    [{ ...CLAIMS, postrider_workspace: 'other' }, 'NotAMember', 'member'],
  ] as const)
    it(`refuses ${JSON.stringify(claims).slice(-90)} as ${tag}`, async () => {
      const { send, counted } = members(claims);
      const { credential, refusal } = await send(JWT);
      expect([credential, refusal?.tag, counted]).to.deep.equal([null, tag, [reason]]);
    });

  it('says the same of an unknown workspace as of an unknown address', async () => {
    const details = [{ email: 'eve@example.com' }, { postrider_workspace: 'other' }].map(async (claims) => {
      const { refusal } = await members({ ...CLAIMS, ...claims }).send(JWT);
      return refusal?.detail;
    });
    const [one, other] = await Promise.all(details);
    expect(one).to.be.a('string').that.equals(other);
  });

  it('refuses a token that does not verify as unauthorized, and counts the reason', async () => {
    const { send, counted, seen } = members(new RefusedToken('audience'));
    const { refusal } = await send(JWT);
    expect([refusal?.tag, refusal?.detail]).to.deep.equal([
      'Unauthorized',
      'The access token was issued for another resource.',
    ]);
    expect([counted, seen.members]).to.deep.equal([['audience'], []]);
  });

  it('is unavailable, without a refusal, while the keys cannot be fetched', async () => {
    const { send, counted } = members(new KeysUnavailable());
    const error = await send(JWT).catch((thrown: unknown) => thrown);
    expect(error).to.include({ tag: 'Unavailable' });
    expect(counted).to.deep.equal(['keys_unavailable']);
  });

  // Regression: an outage of the authorization server used up the limit, and valid callers got 429.
  it('counts no token as unknown while the keys cannot be fetched', async () => {
    const { send, seen } = members(new KeysUnavailable(), 3);
    for (const n of [1, 2, 3, 4]) {
      expect(await send(`${JWT}${n}`).catch((thrown: unknown) => thrown)).to.include({ tag: 'Unavailable' });
    }
    expect(seen.verified).to.equal(4);
  });

  it('does not take a token for known while the keys cannot be fetched', async () => {
    const outcomes = [new KeysUnavailable(), ...[1, 2, 3].map(() => new RefusedToken('signature'))];
    const { send } = members(() => outcomes.shift() ?? CLAIMS, 3);
    for (const n of [1, 1, 2, 3]) await send(`${JWT}${n}`).catch(() => {});
    expect(await send(`${JWT}1`).catch((thrown: unknown) => thrown)).to.be.instanceOf(TooManyUnknownTokens);
  });

  it('verifies no more tokens of an address that sends too many unknown ones', async () => {
    const { send, seen } = members(new RefusedToken('signature'), 3);
    for (const n of [1, 2, 3]) await send(`${JWT}${n}`);
    expect(await send(`${JWT}4`).catch((thrown: unknown) => thrown)).to.be.instanceOf(TooManyUnknownTokens);
    expect(seen.verified).to.equal(3);
  });

  it('does not count tokens that verify as unknown', async () => {
    const { send } = members(CLAIMS, 2);
    for (const n of [1, 2, 3, 4]) expect((await send(`${JWT}${n}`)).credential).to.not.equal(null);
  });
});
