import { expect } from 'chai';
import { createMemberAuthenticator } from '../../src/access-tokens/authenticate-member.js';
import { createKeySet } from '../../src/access-tokens/key-set.js';
import { verifyAccessToken } from '../../src/access-tokens/verify-access-token.js';
import { createTokenBrake } from '../../src/rate-limits/token-brake.js';
import { CLAIMS, NOW, SETTINGS } from '../access-tokens/settings.js';
import { testKey } from '../access-tokens/test-key.js';
import { type TestApp, testApp } from '../http/test-app.js';
import { recordedLog } from '../recorded-log.js';

describe('MCP while the keys of the authorization server cannot be fetched', () => {
  let app: TestApp;
  before(async () => {
    const load = () => Promise.reject(new Error('connection refused'));
    const keys = createKeySet({ load, monotonicMs: () => 0, log: recordedLog() });
    const authenticate = createMemberAuthenticator({
      settings: SETTINGS,
      verify: (token) => verifyAccessToken({ settings: SETTINGS, keys, clock: { now: () => NOW } }, token),
      directory: { memberByEmail: async () => null },
      brake: createTokenBrake({ limit: 2, monotonicMs: () => 0 }),
      countRefused: () => {},
      otherwise: async () => ({ credential: null, workspace: null, refusal: null }),
    });
    app = await testApp({ oauth: { settings: SETTINGS, authenticate } });
  });
  after(() => app?.close());

  const send = (token: string) => app.send('/mcp', { method: 'POST' }, token);

  it('is unavailable for access tokens, which may be valid, however many an address sends', async () => {
    const key = await testKey('k1');
    for (const sub of ['ada', 'eve', 'bob']) {
      const { status, headers, body } = await send(await key.sign({ ...CLAIMS, sub }));
      expect([status, body.tag]).to.deep.equal([503, 'Unavailable']);
      expect(headers.get('retry-after')).to.equal('5');
      expect(headers.get('www-authenticate')).to.equal(null);
    }
  });

  it('refuses other bearers as ever', async () => {
    expect((await send('prt_unknown')).status).to.equal(401);
  });
});
