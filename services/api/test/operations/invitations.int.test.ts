import { hashAcceptToken } from '@postrider/shared/domain/invitation';
import { expect } from 'chai';
import type { CreatedInvitation, Invitation } from '../../src/contract/invitation.js';
import type { Page } from '../../src/contract/page.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

const DAY_MS = 24 * 60 * 60 * 1_000;

describe('invitations', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
  });
  after(() => world?.destroy());

  const stored = (id: string) => world.database.collections.invitations.findOne({ _id: id });
  let people = 0;
  const newEmail = () => `person-${++people}@example.com`;
  const invite = (email = newEmail(), role = 'member', as = admin) =>
    as.request<CreatedInvitation & { tag?: string }>('/invitations', { body: { email, role } });
  const revoke = (id: string, as = admin) => as.requestRefused(`/invitations/${id}`, { method: 'DELETE' });
  const listed = async (id: string) => {
    const { body } = await admin.request<Page<Invitation>>('/invitations?limit=200');
    return body.items.find((item) => item.id === id);
  };

  it('return their token once, store only its digest, and write an audit entry but no event', async () => {
    const offered = world.offered.length;
    const { status, body } = await invite('  Grace.Hopper@Example.com ', 'viewer');
    const { acceptToken, ...shown } = body;
    expect(status).to.equal(201);
    expect(acceptToken).to.match(/^pri_[A-Za-z0-9_-]{43}$/);
    expect(shown).to.include({ email: 'grace.hopper@example.com', role: 'viewer', status: 'pending' });
    expect(Date.parse(shown.expiresAt) - Date.parse(shown.createdAt)).to.equal(7 * DAY_MS);
    expect((await stored(shown.id))!.hash).to.equal(hashAcceptToken(acceptToken));
    expect(await listed(shown.id)).to.deep.equal(shown);
    const entries = await world.audits(shown.id);
    expect(entries).to.have.length(1);
    expect(entries[0]).to.deep.include({
      action: 'workspace_invitation.created',
      actor: { type: 'api_token', id: admin.tokenId },
      target: { type: 'invitation', id: shown.id },
      metadata: { email: 'grace.hopper@example.com', role: 'viewer' },
    });
    expect(JSON.stringify([await stored(shown.id), entries, world.log.lines])).to.not.include(acceptToken);
    expect(world.offered).to.have.length(offered);
  });

  it('are listed newest first, page by page', async () => {
    const workspace = await world.addWorkspace('listing');
    const client = await world.as(['admin'], { workspace });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1)
      ids.unshift((await invite(newEmail(), 'member', client)).body.id);
    const first = await client.request<Page<Invitation>>('/invitations?limit=2');
    const rest = await client.request<Page<Invitation>>(
      `/invitations?limit=2&cursor=${first.body.nextCursor}`,
    );
    expect([...first.body.items, ...rest.body.items].map(({ id }) => id)).to.have.members(ids);
    expect(rest.body.nextCursor).to.equal(null);
  });

  it('for one person replace each other, so that only the newest can be accepted', async () => {
    const email = newEmail();
    const [first, second] = [await invite(email), await invite(email.toUpperCase(), 'viewer')];
    expect((await listed(first.body.id))!.status).to.equal('revoked');
    expect((await listed(second.body.id))!.status).to.equal('pending');
    expect((await world.audits(first.body.id)).at(-1)).to.deep.include({
      action: 'workspace_invitation.revoked',
      metadata: { email, supersededBy: second.body.id },
    });
  });

  it('for one person leave one pending when created concurrently', async () => {
    const email = newEmail();
    const answers = await Promise.all(Array.from({ length: 5 }, () => invite(email)));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(5).fill(201));
    const open = { workspaceId: world.workspace.id, email, state: 'pending' } as const;
    expect(await world.database.collections.invitations.countDocuments(open)).to.equal(1);
  });

  it('are refused for a person who is already a member', async () => {
    const email = newEmail();
    const facts = { workspaceId: world.workspace.id, email, role: 'viewer' } as const;
    await world.database.collections.members.insertOne({ _id: newId('member'), ...facts });
    const { status, body } = await invite(` ${email.toUpperCase()}`);
    expect([status, body.tag]).to.deep.equal([409, 'AlreadyMember']);
    expect(await world.database.collections.invitations.countDocuments({ email })).to.equal(0);
  });

  it('for owners and admins require the permission member:update', async () => {
    const inviter = await world.as(['write']);
    for (const role of ['owner', 'admin']) {
      const { status, body } = await inviter.requestRefused('/invitations', {
        body: { email: newEmail(), role },
      });
      expect([status, body.tag]).to.deep.equal([403, 'Forbidden']);
      expect(body.detail).to.include('member:update');
    }
    expect((await invite(newEmail(), 'member', inviter)).status).to.equal(201);
    const both = await world.as(['member:invite', 'member:update']);
    expect((await invite(newEmail(), 'owner', both)).status).to.equal(201);
  });

  it('report all invalid fields at once', async () => {
    const { status, body } = await admin.requestRefused('/invitations', {
      body: { email: 'ada', role: 'king', x: 1 },
    });
    expect(status).to.equal(400);
    expect(body.errors?.map(({ path }) => path)).to.have.members(['email', 'role', 'x']);
    expect(body.detail).to.include('email must be an e-mail address');
  });

  it('can be revoked, and a second time without an audit entry', async () => {
    const { body } = await invite();
    const offered = world.offered.length;
    expect((await revoke(body.id)).status).to.equal(204);
    expect((await revoke(body.id)).status).to.equal(204);
    expect((await listed(body.id))!.status).to.equal('revoked');
    expect((await world.audits(body.id)).map(({ action }) => action)).to.deep.equal([
      'workspace_invitation.created',
      'workspace_invitation.revoked',
    ]);
    expect(world.offered).to.have.length(offered);
  });

  it('of an owner or admin can be cancelled or replaced only with member:update', async () => {
    const writer = await world.as(['write']);
    for (const role of ['owner', 'admin']) {
      const email = newEmail();
      const { body } = await invite(email, role);
      const answer = await revoke(body.id, writer);
      expect([answer.status, answer.body.tag]).to.deep.equal([403, 'Forbidden']);
      expect((await invite(email, 'viewer', writer)).status).to.equal(403);
      expect((await listed(body.id))!.status).to.equal('pending');
      expect((await revoke(body.id)).status).to.equal(204);
    }
    const { body } = await invite();
    expect((await revoke(body.id, writer)).status).to.equal(204);
  });

  it('are not found in another workspace', async () => {
    const stranger = await world.as(['admin'], { workspace: await world.addWorkspace('inv-stranger') });
    const { body } = await invite();
    for (const [id, as] of [
      [body.id, stranger],
      ['inv_0', admin],
    ] as const) {
      const answer = await revoke(id, as);
      expect([answer.status, answer.body.tag]).to.deep.equal([404, 'InvitationNotFound']);
    }
    expect((await listed(body.id))!.status).to.equal('pending');
  });

  it('expire after seven days and can then be created again', async () => {
    const email = newEmail();
    const { body } = await invite(email);
    world.clock.advance(7 * DAY_MS + 1);
    expect((await listed(body.id))!.status).to.equal('expired');
    expect((await revoke(body.id)).status).to.equal(204);
    expect((await invite(email)).status).to.equal(201);
    expect((await listed(body.id))!.status).to.equal('expired');
    expect((await world.audits(body.id)).map(({ action }) => action)).to.deep.equal([
      'workspace_invitation.created',
    ]);
  });
});
