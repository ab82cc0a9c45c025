import { expect } from 'chai';
import { formatToken, TOKEN_BYTES } from '../../src/domain/api-token.js';
import {
  formatPortalSecret,
  isPortalSecret,
  PORTAL_SECRET_BYTES,
  portalLinkStatus,
} from '../../src/domain/portal-link.js';
import { later, NOON } from '../../src/testing/builders.js';

const LINK = { expiresAt: later(1), revokedAt: null, isCreatorRevoked: false };
const statusOf = (change: object) => portalLinkStatus({ ...LINK, ...change }, NOON);

describe('portal link', () => {
  it('is active until its expiry time', () => {
    expect(statusOf({})).to.equal('active');
    expect(statusOf({ expiresAt: NOON })).to.equal('expired');
  });

  it('is revoked with its creator too, even after its expiry time', () => {
    expect(statusOf({ revokedAt: NOON })).to.equal('revoked');
    expect(statusOf({ isCreatorRevoked: true })).to.equal('revoked');
    expect(statusOf({ expiresAt: NOON, isCreatorRevoked: true })).to.equal('revoked');
  });
});

describe('the secret of a portal link', () => {
  const secret = formatPortalSecret(new Uint8Array(PORTAL_SECRET_BYTES).fill(0xfb));

  it('has 32 random bytes and is recognised', () => {
    expect(secret).to.match(/^prt_portal_[A-Za-z0-9_-]{43}$/);
    expect(isPortalSecret(secret)).to.equal(true);
  });

  it('is distinguished from the secret of a token that begins alike, and from other lengths', () => {
    const token = formatToken(new Uint8Array(TOKEN_BYTES));
    expect(isPortalSecret(`prt_portal_${token.slice(11)}`)).to.equal(false);
    expect(isPortalSecret(`${secret}a`)).to.equal(false);
    expect(isPortalSecret(secret.slice(0, -1))).to.equal(false);
    expect(isPortalSecret(secret.replace('prt_portal_', 'prt_secret_'))).to.equal(false);
  });
});
