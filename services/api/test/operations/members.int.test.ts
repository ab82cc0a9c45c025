import type { Role } from '@postrider/shared/domain/member';
import type { Workspace } from '@postrider/shared/domain/workspace';
import { expect } from 'chai';
import type { Member } from '../../src/contract/member.js';
import type { Page } from '../../src/contract/page.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

describe('members', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld();
  });
  after(() => world?.destroy());

  const members = () => world.database.collections.members;

  /** Creates a separate workspace with members in these roles, oldest first. */
  let workspaces = 0;
  async function staffed(
    ...roles: Role[]
  ): Promise<{ ids: string[]; admin: ApiClient; workspace: Workspace }> {
    const workspace = await world.addWorkspace(`staffed-${++workspaces}`);
    const rows = roles.map((role, index) => ({
      _id: newId('member', new Date(Date.now() + index)),
      workspaceId: workspace.id,
      email: `${role}-${index}@example.com`,
      role,
    }));
    await members().insertMany(rows);
    return { ids: rows.map(({ _id }) => _id), workspace, admin: await world.as(['admin'], { workspace }) };
  }
  const changeRole = (as: ApiClient, id: string, role: string) =>
    as.request<Member & { tag?: string }>(`/members/${id}`, { method: 'PATCH', body: { role } });
  const remove = (as: ApiClient, id: string) => as.requestRefused(`/members/${id}`, { method: 'DELETE' });

  it('are listed by ascending id, page by page, for their workspace only', async () => {
    const { ids, admin } = await staffed('owner', 'admin', 'viewer');
    await staffed('owner');
    const first = await admin.request<Page<Member>>('/members?limit=2');
    expect(first.body.items).to.deep.equal([
      { id: ids[0], email: 'owner-0@example.com', role: 'owner' },
      { id: ids[1], email: 'admin-1@example.com', role: 'admin' },
    ]);
    const rest = await admin.request<Page<Member>>(`/members?limit=2&cursor=${first.body.nextCursor}`);
    expect(rest.body).to.deep.equal({
      items: [{ id: ids[2], email: 'viewer-2@example.com', role: 'viewer' }],
      nextCursor: null,
    });
  });

  it('can be assigned another role, with an audit entry and an event', async () => {
    const { ids, admin } = await staffed('owner', 'viewer');
    const [offered, id] = [world.offered.length, ids[1]!];
    const { status, body } = await changeRole(admin, id, 'admin');
    expect([status, body]).to.deep.equal([200, { id, email: 'viewer-1@example.com', role: 'admin' }]);
    expect(await members().findOne({ _id: id })).to.include({ role: 'admin' });
    const published = world.offered.slice(offered);
    expect(published.map(({ headers }) => headers.ce_type)).to.deep.equal(['workspace_member.role_changed']);
    expect(published[0]!.value).to.include({ memberId: id, previousRole: 'viewer', role: 'admin' });
    const [entry] = await world.audits(id);
    expect(entry).to.deep.include({
      action: 'workspace_member.role_changed',
      actor: { type: 'api_token', id: admin.tokenId },
      target: { type: 'member', id },
      metadata: { previousRole: 'viewer', role: 'admin', eventId: published[0]!.value.eventId },
    });
  });

  it('can be assigned their current role without audit entry or event', async () => {
    const { ids, admin } = await staffed('owner');
    const offered = world.offered.length;
    expect((await changeRole(admin, ids[0]!, 'owner')).status).to.equal(200);
    expect(world.offered).to.have.length(offered);
    expect(await world.audits(ids[0]!)).to.be.empty;
  });

  it('can be removed once, with one audit entry and one event', async () => {
    const { ids, admin } = await staffed('owner', 'member');
    const [offered, id] = [world.offered.length, ids[1]!];
    expect(await remove(admin, id)).to.include({ status: 204, body: null });
    expect((await remove(admin, id)).body.tag).to.equal('MemberNotFound');
    expect(await members().findOne({ _id: id })).to.equal(null);
    const published = world.offered.slice(offered);
    expect(published.map(({ headers }) => headers.ce_type)).to.deep.equal(['workspace_member.removed']);
    expect(published[0]!.value).to.include({ memberId: id, email: 'member-1@example.com' });
    expect((await world.audits(id)).map(({ action }) => action)).to.deep.equal(['workspace_member.removed']);
  });

  it('keep their last owner, who can be neither removed nor demoted, without audit entry or event', async () => {
    const { ids, admin } = await staffed('owner', 'admin');
    const offered = world.offered.length;
    for (const { status, body } of [
      await changeRole(admin, ids[0]!, 'admin'),
      await remove(admin, ids[0]!),
    ]) {
      expect([status, body.tag]).to.deep.equal([409, 'LastOwner']);
    }
    expect(world.offered).to.have.length(offered);
    expect(await world.audits(ids[0]!)).to.be.empty;
    await changeRole(admin, ids[1]!, 'owner');
    expect((await changeRole(admin, ids[0]!, 'member')).status).to.equal(200);
  });

  it('keep one owner when two are demoted or removed concurrently', async () => {
    for (let round = 0; round < 20; round += 1) {
      const { ids, admin, workspace } = await staffed('owner', 'owner');
      const offered = world.offered.length;
      const demote = (id: string) => changeRole(admin, id, 'viewer');
      const [one, other] = [demote(ids[0]!), round % 2 === 0 ? demote(ids[1]!) : remove(admin, ids[1]!)];
      const statuses = (await Promise.all([one, other])).map(({ status }) => status);
      expect(statuses.filter((status) => status === 409)).to.have.length(1);
      const owners = await members().countDocuments({ workspaceId: workspace.id, role: 'owner' });
      expect(owners, `round ${round}`).to.equal(1);
      expect(world.offered).to.have.length(offered + 1);
    }
  });

  it('of other workspaces and with unknown ids are not found, and nothing is written', async () => {
    const mine = await staffed('owner');
    const theirs = await staffed('owner', 'viewer');
    const offered = world.offered.length;
    for (const id of [theirs.ids[1]!, 'mem_0', mine.workspace.id]) {
      for (const { status, body } of [
        await changeRole(mine.admin, id, 'admin'),
        await remove(mine.admin, id),
      ]) {
        expect([status, body.tag]).to.deep.equal([404, 'MemberNotFound']);
      }
    }
    expect(await members().findOne({ _id: theirs.ids[1]! })).to.include({ role: 'viewer' });
    expect(world.offered).to.have.length(offered);
  });

  it('can only have one of four roles', async () => {
    const { ids, admin } = await staffed('owner');
    for (const body of [{ role: 'king' }, { role: ['owner'] }, { role: null }, {}]) {
      const answer = await admin.requestRefused(`/members/${ids[0]}`, { method: 'PATCH', body });
      expect([answer.status, answer.body.errors?.[0]?.path]).to.deep.equal([400, 'role']);
    }
  });
});
