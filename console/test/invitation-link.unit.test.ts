import { expect } from 'chai';
import { invitationLink } from '../src/members/invitation-link.js';

describe('link of an invitation', () => {
  it('leads to the page of the console, and names the token in the fragment alone', () => {
    const invitation = { slug: 'acme', invitationId: 'inv_1', acceptToken: 'pri_a-b_c' };
    const link = invitationLink('https://hooks.example.com/below/console/?x=1#/members', invitation);
    expect(link).to.equal('https://hooks.example.com/below/console/?x=1#/invitations/acme/inv_1/pri_a-b_c');
  });
});
