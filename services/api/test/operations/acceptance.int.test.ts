import { expect } from 'chai';
import type { CreatedInvitation, Invitation } from '../../src/contract/invitation.js';
import type { Member } from '../../src/contract/member.js';
import type { Page } from '../../src/contract/page.js';
import { type ApiClient, createApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('accept_invitation', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let person: ApiClient;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    person = createApiClient({ origin: admin.origin, slug: 'acme', secret: 'wrong', tokenId: '' });
  });
  after(() => world?.destroy());

  const members = () => world.database.collections.members;
  let people = 0;
  const invited = async (role = 'member') => {
    const body = { email: `person-${++people}@example.com`, role };
    return (await admin.request<CreatedInvitation>('/invitations', { body })).body;
  };
  const accept = (invitation: { id: string; acceptToken: string }, key?: string, as = person) =>
    as.request<Member & { tag?: string; detail?: string }>(`/invitations/${invitation.id}/accept`, {
      body: { acceptToken: invitation.acceptToken },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const memberCount = (email: string) => members().countDocuments({ email });

  it('creates a member without a bearer token, and records the acceptance and the new member', async () => {
    const offered = world.offered.length;
    const invitation = await invited('viewer');
    const { status, body } = await accept(invitation);
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ id: body.id, email: invitation.email, role: 'viewer' });
    expect(await members().findOne({ _id: body.id })).to.include({ email: invitation.email, role: 'viewer' });
    const published = world.offered.slice(offered);
    expect(published.map(({ headers }) => headers.ce_type)).to.deep.equal([
      'workspace_invitation.accepted',
      'workspace_member.added',
    ]);
    const own = { memberId: body.id, email: invitation.email, role: 'viewer' };
    expect(published[0]!.value).to.include({ ...own, invitationId: invitation.id });
    expect(published[1]!.value).to.include(own);
    const entries = await world.database.collections.auditEvents.find({ 'actor.id': body.id }).toArray();
    expect(entries.map(({ action, actor, target }) => [action, actor.type, target.id])).to.deep.equal([
      ['workspace_invitation.accepted', 'member', invitation.id],
      ['workspace_member.added', 'member', body.id],
    ]);
    expect(JSON.stringify([published, entries, world.log.lines])).to.not.include(invitation.acceptToken);
    const list = await admin.request<Page<Invitation>>('/invitations?limit=200');
    expect(list.body.items.find(({ id }) => id === invitation.id)!.status).to.equal('accepted');
  });

  it('refuses a second acceptance', async () => {
    const invitation = await invited();
    await accept(invitation);
    const offered = world.offered.length;
    const { status, body } = await accept(invitation);
    expect([status, body.tag]).to.deep.equal([409, 'InvitationNotAcceptable']);
    expect(body.detail).to.include('accepted');
    expect(world.offered).to.have.length(offered);
    const revoked = await admin.requestRefused(`/invitations/${invitation.id}`, { method: 'DELETE' });
    expect([revoked.status, revoked.body.tag]).to.deep.equal([409, 'InvitationNotAcceptable']);
  });

  it('creates one member from ten concurrent acceptances', async () => {
    const [invitation, offered] = [await invited(), world.offered.length];
    const answers = await Promise.all(Array.from({ length: 10 }, () => accept(invitation)));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([200, ...Array(9).fill(409)]);
    expect(await memberCount(invitation.email)).to.equal(1);
    expect(world.offered).to.have.length(offered + 2);
  });

  it('refuses a revoked or expired invitation', async () => {
    const [revoked, expired] = [await invited(), await invited()];
    await admin.request(`/invitations/${revoked.id}`, { method: 'DELETE' });
    expect((await accept(revoked)).body).to.include({ tag: 'InvitationNotAcceptable', status: 409 });
    world.clock.advance(7 * DAY_MS);
    expect((await accept(expired)).body).to.include({ tag: 'InvitationNotAcceptable', status: 409 });
    expect((await memberCount(revoked.email)) + (await memberCount(expired.email))).to.equal(0);
  });

  it('refuses a person who has become a member in the meantime', async () => {
    const invitation = await invited();
    const facts = { workspaceId: world.workspace.id, email: invitation.email, role: 'viewer' } as const;
    await members().insertOne({ _id: newId('member'), ...facts });
    expect((await accept(invitation)).body).to.include({ tag: 'AlreadyMember', status: 409 });
  });

  it('gives the same refusal for a wrong token, an unknown invitation and another or unknown workspace', async () => {
    const [invitation, other] = [await invited(), await invited()];
    await world.addWorkspace('elsewhere');
    const at = (slug: string) =>
      createApiClient({ origin: admin.origin, slug, secret: admin.secret, tokenId: '' });
    const answers = [
      await accept({ ...invitation, acceptToken: other.acceptToken }),
      await accept({ ...invitation, id: 'inv_0' }),
      await accept(invitation, undefined, at('elsewhere')),
      await accept(invitation, undefined, at('nowhere')),
    ];
    for (const { status, body } of answers) {
      expect([status, body.tag]).to.deep.equal([404, 'InvitationNotFound']);
      expect(body.detail).to.equal(answers[0]!.body.detail);
    }
    expect(await memberCount(invitation.email)).to.equal(0);
  });

  it('requires the token of the invitation, not an API token', async () => {
    const invitation = await invited();
    for (const body of [{}, { acceptToken: '' }, { acceptToken: 7 }, { acceptToken: 'x', more: 1 }]) {
      const { status } = await admin.requestRefused(`/invitations/${invitation.id}/accept`, { body });
      expect(status).to.equal(400);
    }
    const { status } = await accept({ ...invitation, acceptToken: admin.secret }, undefined, admin);
    expect(status).to.equal(404);
  });

  it('returns the stored result for the same request from any sender with the token', async () => {
    const [invitation, offered] = [await invited(), world.offered.length];
    const first = await accept(invitation, 'again');
    expect((await accept(invitation, 'again', admin)).body).to.deep.equal(first.body);
    expect(world.offered).to.have.length(offered + 2);
    const thief = await accept({ ...invitation, acceptToken: 'pri_guess' }, 'again');
    expect([thief.status, thief.body.tag]).to.deep.equal([404, 'InvitationNotFound']);
    const other = await invited();
    expect((await accept(other, 'again')).status).to.equal(200);
  });
});
