import { expect } from 'chai';
import { formatToken, hashToken, isLive, shownPrefix, TOKEN_BYTES } from '../../src/domain/api-token.js';
import { later, NOON } from '../../src/testing/builders.js';
import { anApiToken } from '../../src/testing/workspace-builders.js';

describe('API token', () => {
  const secret = formatToken(new Uint8Array(TOKEN_BYTES).fill(0xfb));

  it('is written as prt_ and 32 bytes of base64url', () => {
    expect(secret).to.match(/^prt_-_v7[A-Za-z0-9_-]{39}$/);
    expect(Buffer.from(secret.slice(4), 'base64url')).to.have.length(32);
  });

  it('is stored as the SHA-256 of the whole secret', () => {
    expect(hashToken('prt_abc')).to.equal('53454212a3105621bd89bfcb9363a77ba08b13b01070412d845c93732ad938f0');
    expect(hashToken(secret))
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.to.equal(hashToken(secret.slice(4)));
  });

  it('is identified in lists by its first characters only', () => {
    expect(shownPrefix(secret)).to.equal(secret.slice(0, 8));
  });
});

describe('isLive', () => {
  const live = (overrides: Parameters<typeof anApiToken>[0]) => isLive(anApiToken(overrides), NOON);

  it('returns true for a token that is neither revoked nor expired', () => {
    expect(live({})).to.equal(true);
    expect(live({ expiresAt: later(1) })).to.equal(true);
  });

  it('returns false from the expiry time on', () => {
    expect(live({ expiresAt: NOON })).to.equal(false);
    expect(live({ expiresAt: later(-1) })).to.equal(false);
  });

  it('returns false for a revoked token, even before its expiry', () => {
    expect(live({ revokedAt: NOON })).to.equal(false);
    expect(live({ revokedAt: later(-1), expiresAt: later(1_000) })).to.equal(false);
  });
});
