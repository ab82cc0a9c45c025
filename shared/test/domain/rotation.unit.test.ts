import { expect } from 'chai';
import { activeSecrets, previousSecretExpiresAt, rotate } from '../../src/domain/rotation.js';
import { anEndpoint, aSealedSecret, later, NOON } from '../../src/testing/builders.js';

const DAY_MS = 24 * 60 * 60 * 1_000;
const OLD = aSealedSecret('old');
const NEW = aSealedSecret('new');
const NEWER = aSealedSecret('newer');
const fresh = anEndpoint({ secret: OLD }).secrets!;
const rotated = rotate(fresh, NEW, NOON);

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
    const again = rotate(rotated, NEWER, later(1_000));
    expect(activeSecrets(again, later(2_000))).to.deep.equal([NEWER, NEW]);
    expect(previousSecretExpiresAt(again, later(2_000))).to.deep.equal(later(DAY_MS + 1_000));
  });

  it('increments the version, so that caches distinguish pairs of keys', () => {
    const versions = [fresh, rotated, rotate(rotated, NEWER, NOON)].map(({ version }) => version);
    expect(versions).to.deep.equal([1, 2, 3]);
  });

  it('returns null before the first rotation and for a deleted endpoint', () => {
    expect(activeSecrets(fresh, NOON)).to.deep.equal([OLD]);
    expect(previousSecretExpiresAt(fresh, NOON)).to.equal(null);
    expect(previousSecretExpiresAt(null, NOON)).to.equal(null);
  });
});
