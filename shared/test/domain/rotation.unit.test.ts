import { expect } from 'chai';
import {
  activeSecrets,
  changeSigning,
  previousSecretExpiresAt,
  rotate,
  signingMethodOf,
} from '../../src/domain/rotation.js';
import type { SealedSecret } from '../../src/domain/sealed-secret.js';
import { anEndpoint, aSealedSecret, later, NOON } from '../../src/testing/builders.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const OLD = aSealedSecret('old');
const NEW = aSealedSecret('new');
const NEWER = aSealedSecret('newer');
const hmac = (secret: SealedSecret) => ({ secret, publicKey: null });
const fresh = anEndpoint({ secret: OLD }).secrets!;
const rotated = rotate(fresh, hmac(NEW), NOON);

describe('rotate', () => {
  it('signs with the new secret first and the old one second for 24 hours', () => {
    expect(activeSecrets(rotated, NOON)).to.deep.equal([NEW, OLD]);
    expect(activeSecrets(rotated, later(DAY_MS - 1))).to.deep.equal([NEW, OLD]);
  });

  it('signs with the new secret only after 24 hours', () => {
    expect(activeSecrets(rotated, later(DAY_MS))).to.deep.equal([NEW]);
    expect(activeSecrets(rotated, later(2 * DAY_MS))).to.deep.equal([NEW]);
  });

  it('returns when the previous secret stops signing', () => {
    expect(previousSecretExpiresAt(rotated, NOON)).to.deep.equal(later(DAY_MS));
    expect(previousSecretExpiresAt(rotated, later(DAY_MS - 1))).to.deep.equal(later(DAY_MS));
    expect(previousSecretExpiresAt(rotated, later(DAY_MS))).to.equal(null);
  });

  it('replaces the previous secret if it is repeated within the 24 hours', () => {
    const again = rotate(rotated, hmac(NEWER), later(1_000));
    expect(activeSecrets(again, later(2_000))).to.deep.equal([NEWER, NEW]);
    expect(previousSecretExpiresAt(again, later(2_000))).to.deep.equal(later(DAY_MS + 1_000));
  });

  it('increments the version, so that caches distinguish pairs of keys', () => {
    const versions = [fresh, rotated, rotate(rotated, hmac(NEWER), NOON)].map(({ version }) => version);
    expect(versions).to.deep.equal([1, 2, 3]);
  });

  it('returns null before the first rotation and for a deleted endpoint', () => {
    expect(activeSecrets(fresh, NOON)).to.deep.equal([OLD]);
    expect(previousSecretExpiresAt(fresh, NOON)).to.equal(null);
    expect(previousSecretExpiresAt(null, NOON)).to.equal(null);
  });
});

describe('changeSigning', () => {
  const PUBLIC = { secret: aSealedSecret('private'), publicKey: 'whpk_1' };
  const asymmetric = changeSigning(fresh, PUBLIC, NOON);

  it('signs with both kinds for 24 hours', () => {
    expect(activeSecrets(asymmetric, later(1))).to.deep.equal([PUBLIC.secret, OLD]);
    expect(activeSecrets(asymmetric, later(DAY_MS))).to.deep.equal([PUBLIC.secret]);
    expect(signingMethodOf(asymmetric)).to.equal('ed25519');
    expect(signingMethodOf(fresh)).to.equal('hmac-sha256');
  });

  it('keeps the key pair signing when a rotation returns the new secret for the first time', () => {
    const changed = changeSigning(changeSigning(fresh, PUBLIC, later(-2 * DAY_MS)), hmac(NEW), NOON);
    expect(activeSecrets(changed, later(1))).to.deep.equal([NEW, PUBLIC.secret]);
    const atTheEnd = later(DAY_MS - 1);
    const returned = rotate(changed, hmac(NEWER), atTheEnd);
    expect(activeSecrets(returned, later(DAY_MS))).to.deep.equal([NEWER, PUBLIC.secret]);
    expect(previousSecretExpiresAt(returned, atTheEnd)).to.deep.equal(later(2 * DAY_MS - 1));
    const again = rotate(returned, hmac(OLD), later(DAY_MS));
    expect(activeSecrets(again, later(DAY_MS))).to.deep.equal([OLD, NEWER]);
  });

  it('keeps an unseen secret when the earlier key no longer signs', () => {
    const changed = changeSigning(asymmetric, hmac(NEW), later(2 * DAY_MS));
    for (const at of [later(3 * DAY_MS), later(4 * DAY_MS)]) {
      const returned = rotate(changed, hmac(NEWER), at);
      expect(activeSecrets(returned, at)).to.deep.equal([NEWER, NEW]);
    }
  });
});
