import { randomBytes } from 'node:crypto';
import { formatToken, hashToken, type ApiToken as StoredToken } from '@postrider/shared/domain/api-token';
import type { TokenId } from '@postrider/shared/domain/id';
import { toDocument } from '@postrider/shared/mongo/documents';
import { profiled } from '@postrider/shared/testing/profiled';
import { anApiToken } from '@postrider/shared/testing/workspace-builders';
import { expect } from 'chai';
import type { ApiToken, CreatedApiToken } from '../../src/contract/api-token.js';
import type { Page } from '../../src/contract/page.js';
import { type ApiClient, createApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';

const HOUR_MS = 3_600_000;

describe('tokens made by tokens', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  before(async () => {
    world = await apiWorld({ TOKENS_PER_WORKSPACE: '500' });
    admin = await world.as(['admin']);
  });
  after(() => world?.destroy());

  const inAnHour = (hours = 1) => new Date(world.clock.now().getTime() + hours * HOUR_MS);
  const create = (as: ApiClient, body: object = {}) =>
    as.request<CreatedApiToken>('/api-tokens', { body: { name: 'made', scopes: ['admin'], ...body } });
  const clientOf = ({ token, id }: CreatedApiToken) =>
    createApiClient({ origin: admin.origin, slug: 'acme', secret: token, tokenId: id });
  const make = async (as: ApiClient, body: object = {}) => clientOf((await create(as, body)).body);
  const isAlive = async (as: ApiClient) => (await as.request('/webhooks')).status === 200;
  const revoke = (id: string, query = '?cascade=true') =>
    admin.request(`/api-tokens/${id}${query}`, { method: 'DELETE' });
  const { stringify } = JSON;

  it('show who made them, and from where they were used', async () => {
    const child = await make(admin);
    await child.request('/webhooks');
    const found = async () => {
      const { body } = await admin.request<Page<ApiToken>>('/api-tokens');
      return body.items.find(({ id }) => id === child.tokenId)!;
    };
    expect((await found()).createdBy).to.equal(admin.tokenId);
    expect((await found()).lastUsedAddress).to.equal('127.0.0.1');
  });

  it('show null for what earlier versions did not store', async () => {
    const old = await make(admin);
    const fields = { createdBy: 1, lastUsedAddress: 1 } as const;
    await world.database.collections.apiTokens.updateOne({ _id: old.tokenId }, { $unset: fields });
    const { body } = await admin.request<Page<ApiToken>>('/api-tokens');
    const shown = body.items.find(({ id }) => id === old.tokenId);
    expect(shown).to.include({ createdBy: null, lastUsedAddress: null });
    expect((await revoke(old.tokenId)).status).to.equal(204);
  });

  it('never outlive their creator', async () => {
    const end = inAnHour();
    const creator = await world.as(['admin'], { expiresAt: end });
    for (const expiresAt of [undefined, null, new Date(end.getTime() + 1).toISOString()]) {
      const { status, body } = await creator.requestRefused('/api-tokens', {
        body: { name: 'x', scopes: ['read'], ...(expiresAt !== undefined && { expiresAt }) },
      });
      expect([status, body.tag], stringify(expiresAt)).to.deep.equal([403, 'ScopeExceedsAuthority']);
    }
    const { expiresAt } = (await create(creator, { expiresAt: end.toISOString() })).body;
    expect(expiresAt, 'may end with it').to.equal(end.toISOString());
  });

  it('stay valid when their creator is revoked without them', async () => {
    const creator = await make(admin);
    const child = await make(creator);
    await revoke(creator.tokenId, '');
    expect([await isAlive(creator), await isAlive(child)]).to.deep.equal([false, true]);
    await revoke(creator.tokenId, '?cascade=false');
    expect(await isAlive(child)).to.equal(true);
    await revoke(creator.tokenId);
    expect(await isAlive(child)).to.equal(false);
  });

  it('are revoked with their creator, through revoked ones too, each with audit entry and event', async () => {
    const creator = await make(admin);
    const child = await make(creator);
    const grandchild = await make(child);
    const sibling = await make(admin);
    await revoke(child.tokenId, '');
    const offered = world.offered.length;
    expect((await revoke(creator.tokenId)).status).to.equal(204);
    const alive = await Promise.all([creator, child, grandchild, sibling].map(isAlive));
    expect(alive).to.deep.equal([false, false, false, true]);
    const events = world.offered.slice(offered).map(({ value }) => (value as { tokenId?: string }).tokenId);
    expect(events).to.deep.equal([creator.tokenId, grandchild.tokenId]);
    const [, entry] = await world.audits(grandchild.tokenId);
    expect(entry).to.deep.include({
      action: 'api_token.revoked',
      actor: { type: 'api_token', id: admin.tokenId },
    });
    await revoke(creator.tokenId);
    expect(await world.audits(grandchild.tokenId)).to.have.length(2);
  });

  /** Stores a tree of tokens: each has two children, and the last row is as long as all others together. */
  async function storeTree(rootId: TokenId, size: number): Promise<string[]> {
    const creators: TokenId[] = [rootId];
    const rows = Array.from({ length: size }, (_, index) => {
      const id = newId('token');
      creators.push(id);
      const hash = hashToken(formatToken(randomBytes(32)));
      const createdBy = creators[Math.floor(index / 2)]!;
      return toDocument(anApiToken({ id, workspaceId: world.workspace.id, hash, createdBy }));
    });
    await world.database.collections.apiTokens.insertMany(rows);
    return creators.slice(1);
  }
  const countAlive = (ids: readonly string[]) =>
    world.database.collections.apiTokens.countDocuments({ _id: { $in: [...ids] }, revokedAt: null });

  it('are all revoked, however many they are', async () => {
    const root = await make(admin);
    const ids = await storeTree(root.tokenId as TokenId, 450);
    expect((await revoke(root.tokenId)).status).to.equal(204);
    expect(await countAlive(ids)).to.equal(0);
    expect(await world.database.collections.apiTokens.countDocuments({ family: 'pending' })).to.equal(0);
  });

  /** The document of a token that another one made. */
  const made = (createdBy: string | null, facts: Partial<StoredToken> = {}) => {
    const hash = hashToken(formatToken(randomBytes(32)));
    const owner = { id: newId('token'), workspaceId: world.workspace.id };
    return toDocument(anApiToken({ ...owner, hash, createdBy, ...facts }));
  };

  // Regression: each revoked token was marked, which took 28 s and three requests for 60,000 of them.
  it('are revoked without changing the revoked ones between', async () => {
    const root = await make(admin);
    const { apiTokens } = world.database.collections;
    const revokedAt = world.clock.now();
    const siblings = Array.from({ length: 200 }, () => made(root.tokenId, { revokedAt }));
    const chain = [siblings.at(-1)!];
    for (let level = 1; level < 20; level += 1) chain.push(made(chain.at(-1)!._id, { revokedAt }));
    const live = made(chain.at(-1)!._id);
    const unrelated = made(null);
    await apiTokens.insertMany([...siblings, ...chain.slice(1), live, unrelated]);
    expect((await revoke(root.tokenId)).status).to.equal(204);
    expect(await countAlive([live._id, unrelated._id])).to.equal(1);
    const ids = [...siblings, ...chain].map(({ _id }) => _id);
    expect(await apiTokens.countDocuments({ _id: { $in: ids }, family: { $exists: true } })).to.equal(0);
    expect(await apiTokens.countDocuments({ family: 'pending' })).to.equal(0);
  });

  // Regression: each transaction, which revokes a hundred, read all live tokens again.
  it('are found once where revoked ones are between, among many others that live', async () => {
    const workspace = await world.addWorkspace('busy');
    const owner = await world.as(['admin'], { workspace });
    const { apiTokens } = world.database.collections;
    const at = { workspaceId: workspace.id };
    const root = made(null, at);
    const revokedAt = world.clock.now();
    const revoked = Array.from({ length: 250 }, () => made(root._id, { ...at, revokedAt }));
    const live = revoked.map(({ _id }) => made(_id, at));
    const others = Array.from({ length: 1_000 }, () => made(null, at));
    await apiTokens.insertMany([root, ...revoked, ...live, ...others]);
    const operations = await profiled(world.database.db, async () => {
      const { status } = await owner.request(`/api-tokens/${root._id}?cascade=true`, { method: 'DELETE' });
      expect(status).to.equal(204);
    });
    expect(await countAlive(live.map(({ _id }) => _id))).to.equal(0);
    expect(await countAlive(others.map(({ _id }) => _id))).to.equal(1_000);
    const readsOfAll = operations.filter(({ docsExamined = 0 }) => docsExamined >= 800);
    expect(readsOfAll, 'to find them, and to find that none is left').to.have.length(2);
  });

  it('are revoked where too many others live to look for them from below', async () => {
    const workspace = await world.addWorkspace('crowded');
    const owner = await world.as(['admin'], { workspace });
    const { apiTokens } = world.database.collections;
    const at = { workspaceId: workspace.id };
    const root = made(null, at);
    const revoked = Array.from({ length: 1_100 }, () =>
      made(root._id, { ...at, revokedAt: world.clock.now() }),
    );
    const live = made(revoked.at(-1)!._id, at);
    const others = Array.from({ length: 5_001 }, () => made(null, at));
    await apiTokens.insertMany([root, ...revoked, live, ...others]);
    const { status } = await owner.request(`/api-tokens/${root._id}?cascade=true`, { method: 'DELETE' });
    expect(status).to.equal(204);
    expect(await countAlive([root._id, live._id])).to.equal(0);
    expect(await apiTokens.countDocuments({ ...at, family: 'pending' })).to.equal(0);
    expect(await apiTokens.countDocuments({ ...at, revokedAt: null })).to.equal(5_002);
  });

  it('are revoked if revoked ones made them, however many these are; those that have expired are skipped', async () => {
    const root = await make(admin);
    const { apiTokens } = world.database.collections;
    const at = world.clock.now();
    const revoked = Array.from({ length: 2_500 }, () => made(root.tokenId, { revokedAt: at }));
    const live = revoked.slice(0, 150).map(({ _id }) => made(_id, {}));
    const expired = made(root.tokenId, { expiresAt: inAnHour(-2) });
    const expiredJustNow = made(root.tokenId, { expiresAt: inAnHour(-0.5) });
    await apiTokens.insertMany([...revoked, ...live, expired, expiredJustNow]);
    expect((await revoke(root.tokenId)).status).to.equal(204);
    expect(await countAlive(live.map(({ _id }) => _id))).to.equal(0);
    expect(await countAlive([expired._id, expiredJustNow._id])).to.equal(1);
    expect((await apiTokens.findOne({ _id: expiredJustNow._id }))?.revokedAt).not.to.equal(null);
    expect(await apiTokens.countDocuments({ family: 'pending' })).to.equal(0);
  });

  it('are revoked by another request when a process died in between', async () => {
    const root = await make(admin);
    const ids = await storeTree(root.tokenId as TokenId, 30);
    const { apiTokens } = world.database.collections;
    const revokedAt = world.clock.now();
    await apiTokens.updateOne({ _id: root.tokenId }, { $set: { revokedAt, family: 'pending' } });
    await apiTokens.updateMany({ _id: { $in: ids.slice(0, 5) } }, { $set: { revokedAt, family: 'pending' } });
    const unrelated = await make(admin);
    await revoke(unrelated.tokenId);
    expect(await countAlive(ids)).to.equal(0);
  });

  it('are left to requests of their own workspace when a process died in between', async () => {
    const workspace = await world.addWorkspace('interrupted');
    const { apiTokens } = world.database.collections;
    const at = { workspaceId: workspace.id };
    const root = { ...made(null, { ...at, revokedAt: world.clock.now() }), family: 'pending' as const };
    await apiTokens.insertMany([root, made(root._id, at)]);
    expect((await revoke((await make(admin)).tokenId)).status).to.equal(204);
    expect(await apiTokens.countDocuments({ ...at, family: 'pending' })).to.equal(1);
  });

  it('are not made by a token that is being revoked', async () => {
    for (let round = 0; round < 5; round += 1) {
      const creator = await make(admin);
      const [, ...made] = await Promise.all([
        revoke(creator.tokenId),
        ...Array.from({ length: 4 }, () => create(creator)),
      ]);
      const ids = made.flatMap(({ status, body }) => (status === 201 ? [body.id] : []));
      expect(await countAlive(ids)).to.equal(0);
    }
  });

  it('are limited in number by the quota of the workspace; revoked and expired ones do not count', async () => {
    const workspace = await world.addWorkspace('full');
    const owner = await world.as(['admin'], { workspace });
    const setQuota = (tokens: number) =>
      world.database.collections.workspaces.updateOne(
        { _id: workspace.id },
        { $set: { quotas: { tokens } } },
      );
    await setQuota(3);
    await create(owner, { expiresAt: inAnHour(0.1).toISOString() });
    const results = await Promise.all(Array.from({ length: 5 }, () => create(owner)));
    expect(results.filter(({ status }) => status === 201)).to.have.length(1);
    const refused = await owner.requestRefused('/api-tokens', { body: { name: 'x', scopes: ['read'] } });
    expect([refused.status, refused.body.tag]).to.deep.equal([409, 'TooManyTokens']);
    world.clock.advance(0.2 * HOUR_MS);
    expect((await create(owner)).status).to.equal(201);
    await setQuota(4);
    expect((await create(owner)).status).to.equal(201);
  });
});
