import { expect } from 'chai';
import { type JWTHeaderParameters, SignJWT, UnsecuredJWT } from 'jose';
import { createKeySet } from '../../src/access-tokens/key-set.js';
import { RefusedToken } from '../../src/access-tokens/refused-token.js';
import { verifyAccessToken } from '../../src/access-tokens/verify-access-token.js';
import { recordedLog } from '../recorded-log.js';
import { CLAIMS, NOW, NOW_S, SETTINGS } from './settings.js';
import { type TestKey, testKey } from './test-key.js';

describe('access token', () => {
  let key: TestKey;
  let rsa: TestKey;
  let other: TestKey;
  before(async () => {
    [key, rsa, other] = await Promise.all([testKey('k1'), testKey('k2', 'RS512'), testKey('k1')]);
  });

  const verify = (token: string, settings = SETTINGS) => {
    const load = async () => ({ keys: [key.publicJwk, rsa.publicJwk] });
    const keys = createKeySet({ load, monotonicMs: () => 0, log: recordedLog() });
    return verifyAccessToken({ settings, keys, clock: { now: () => NOW } }, token);
  };
  const reasonOf = async (token: string) => {
    const error = await verify(token).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    expect(error).to.be.instanceOf(RefusedToken);
    return (error as RefusedToken).reason;
  };

  it('is accepted with its claims', async () => {
    expect(await verify(await key.sign(CLAIMS))).to.deep.equal(CLAIMS);
  });

  it('is accepted for one audience of several', async () => {
    const aud = ['https://other.example.com', SETTINGS.audience];
    expect((await verify(await key.sign({ ...CLAIMS, aud }))).aud).to.deep.equal(aud);
  });

  it('may expire, and begin, within the tolerance of clocks', async () => {
    await verify(await key.sign({ ...CLAIMS, exp: NOW_S - 29 }));
    await verify(await key.sign({ ...CLAIMS, nbf: NOW_S + 30 }));
  });

  for (const typ of ['JWT', 'application/at+jwt', undefined])
    it(`may have the type ${typ}`, async () => {
      const header = { typ } as Partial<JWTHeaderParameters>;
      expect(await verify(await key.sign(CLAIMS, header))).to.include({ sub: 'user-1' });
    });

  const { exp: _, ...endless } = CLAIMS;
  const { aud: __, ...forAnyone } = CLAIMS;
  for (const [what, claims, reason] of [
    ['has expired', { ...CLAIMS, exp: NOW_S - 31 }, 'expired'],
    ['never expires', endless, 'claims'],
    ['is not valid yet', { ...CLAIMS, nbf: NOW_S + 31 }, 'not_yet_valid'],
    ['is from another issuer', { ...CLAIMS, iss: 'https://evil.example.com' }, 'issuer'],
    ['is from an issuer that is spelt otherwise', { ...CLAIMS, iss: `${SETTINGS.issuer}/` }, 'issuer'],
    ['is for another audience', { ...CLAIMS, aud: 'https://other.example.com/mcp' }, 'audience'],
    ['is for the host of the audience alone', { ...CLAIMS, aud: 'https://webhooks.example.com' }, 'audience'],
    ['names no audience', forAnyone, 'audience'],
    ['is bound to a key of its client', { ...CLAIMS, cnf: { jkt: 'x' } }, 'type'],
  ] as const)
    it(`is refused if it ${what}`, async () => {
      expect(await reasonOf(await key.sign(claims))).to.equal(reason);
    });

  it('is refused if it is another kind of JWT', async () => {
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt'])
      expect(await reasonOf(await key.sign(CLAIMS, { typ })), typ).to.equal('type');
  });

  it('is refused without a signature', async () => {
    expect(await reasonOf(new UnsecuredJWT(CLAIMS).encode())).to.equal('algorithm');
  });

  it('is refused if it is signed with a shared key, like the public key itself', async () => {
    const shared = new TextEncoder().encode(JSON.stringify(key.publicJwk));
    const token = await new SignJWT(CLAIMS).setProtectedHeader({ alg: 'HS256', kid: 'k1' }).sign(shared);
    expect(await reasonOf(token)).to.equal('algorithm');
  });

  it('is refused if its algorithm is not configured', async () => {
    expect(await reasonOf(await rsa.sign(CLAIMS))).to.equal('algorithm');
    const settings = { ...SETTINGS, algorithms: ['RS512'] };
    expect(await verify(await rsa.sign(CLAIMS), settings)).to.include({ sub: 'user-1' });
  });

  it('is refused if another key with the same id signed it', async () => {
    expect(await reasonOf(await other.sign(CLAIMS))).to.equal('signature');
  });

  it('is refused if the server has no such key', async () => {
    expect(await reasonOf(await key.sign(CLAIMS, { kid: 'made-up' }))).to.equal('key');
  });

  it('is refused if a part of it was changed', async () => {
    const [head, , signature] = (await key.sign(CLAIMS)).split('.');
    const claims = Buffer.from(JSON.stringify({ ...CLAIMS, email: 'eve@example.com' })).toString('base64url');
    expect(await reasonOf(`${head}.${claims}.${signature}`)).to.equal('signature');
    expect(await reasonOf(`x${head}.${claims}.${signature}`)).to.equal('malformed');
  });
});
