import { expect } from 'chai';
import {
  formatAcceptToken,
  hashAcceptToken,
  invitationStatus,
  isAcceptedBy,
} from '../../src/domain/invitation.js';
import { later, NOON } from '../../src/testing/builders.js';

describe('invitation', () => {
  it('can be accepted with its own token only', () => {
    const token = formatAcceptToken(Buffer.alloc(32, 7));
    expect(token).to.match(/^pri_[A-Za-z0-9_-]{43}$/);
    const invitation = { hash: hashAcceptToken(token) };
    expect(isAcceptedBy(invitation, token)).to.equal(true);
    for (const wrong of ['', token.slice(0, -1), `${token}x`, invitation.hash, token.toUpperCase()]) {
      expect(isAcceptedBy(invitation, wrong), wrong).to.equal(false);
    }
  });

  it('is expired from expiresAt on, unless it was accepted or revoked before', () => {
    const expiresAt = later(1_000);
    expect(invitationStatus({ state: 'pending', expiresAt }, NOON)).to.equal('pending');
    expect(invitationStatus({ state: 'pending', expiresAt }, expiresAt)).to.equal('expired');
    expect(invitationStatus({ state: 'accepted', expiresAt }, later(2_000))).to.equal('accepted');
    expect(invitationStatus({ state: 'revoked', expiresAt }, later(2_000))).to.equal('revoked');
  });
});
