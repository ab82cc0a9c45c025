import { randomBytes } from 'node:crypto';
import { newEndpoint } from '@postrider/shared/domain/endpoint';
import { derivedId } from '@postrider/shared/domain/id';
import { rotate } from '@postrider/shared/domain/rotation';
import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { toDocument } from '@postrider/shared/mongo/documents';
import { migrateMongo } from '@postrider/shared/mongo/migrate';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { expect } from 'chai';
import { createSealedRows } from '../../src/mongo/sealed-rows.js';
import { runCommand } from './run-command.js';

const NOW = new Date();
const [OLD, NEW] = ['old', 'new'].map((id, index) => ({ id, key: Buffer.alloc(32, index + 1) })) as [
  Key,
  Key,
];
type Key = { readonly id: string; readonly key: Buffer };
/** More than are read at once. */
const ENDPOINTS = 250;

describe('admin rotate-encryption-key', () => {
  let database: Database;
  let uri: string;
  before(async () => {
    const at = new URL(process.env.MONGODB_URI ?? 'mongodb://not-set-run-npm-test');
    at.pathname = `/test_rotate_${randomBytes(4).toString('hex')}`;
    uri = at.href;
    database = await connectMongo(uri, 'test');
    await migrateMongo(database);
  });
  beforeEach(async () => {
    await Promise.all(Object.values(database.collections).map((collection) => collection.deleteMany({})));
    await database.collections.endpoints.insertMany(
      Array.from({ length: ENDPOINTS }, (_, index) => toDocument(anEndpoint(index))),
    );
    await database.collections.idempotencyKeys.insertOne({
      _id: 'digest',
      fingerprint: '',
      claim: '',
      claimedUntil: NOW,
      answer: createSecretBox([OLD]).seal('{"secret":"kept"}', 'digest'),
      // The server removes expired keys by its own clock.
      expiresAt: new Date(Date.now() + 3_600_000),
    });
  });
  after(async () => {
    await database?.db.dropDatabase();
    await database?.close();
  });

  const idOf = (index: number) => derivedId('endpoint', NOW, `${index}`);
  /** Every other endpoint has two secrets. */
  function anEndpoint(index: number) {
    const box = createSecretBox([OLD]);
    const endpoint = newEndpoint({
      id: idOf(index),
      workspaceId: derivedId('workspace', NOW, 'acme'),
      url: 'https://hooks.example.com/',
      description: null,
      eventTypes: ['billing.plan_changed'],
      enabled: true,
      secret: box.seal(`first ${index}`, idOf(index)),
      createdAt: NOW,
    });
    const second = box.seal(`second ${index}`, idOf(index));
    return index % 2 === 0
      ? endpoint
      : { ...endpoint, secrets: rotate(endpoint.secrets!, { secret: second, publicKey: null }, NOW) };
  }
  const run = (keys: readonly Key[], ...args: string[]) =>
    runCommand(['rotate-encryption-key', ...args], {
      MONGODB_URI: uri,
      START_TIMEOUT: '5s',
      ENCRYPTION_KEYS: keys.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(','),
    });
  const opened = async (keys: readonly Key[]) => {
    const box = createSecretBox(keys);
    const found = await database.collections.endpoints.find().sort({ _id: 1 }).toArray();
    return found.map(({ _id, secrets }) => [
      box.open(secrets!.current, _id),
      secrets!.previous && box.open(secrets!.previous.secret, _id),
    ]);
  };

  it('prints how many secrets each key encrypts, and changes nothing, on a dry run', async () => {
    const before = await database.collections.endpoints.find().toArray();
    const { code, out, err } = await run([NEW, OLD], '--dry-run');
    expect(code).to.equal(1);
    expect(out.split('\n')).to.deep.equal([
      'signing secrets: 375 encrypted with key "old"',
      'kept answers: 1 encrypted with key "old"',
    ]);
    expect(err).to.include('still encrypted with "old"');
    expect(await database.collections.endpoints.find().toArray()).to.deep.equal(before);
  });

  it('re-encrypts all secrets, so that the old key can be removed', async () => {
    const before = await opened([OLD]);
    const { code, out } = await run([NEW, OLD]);
    expect(code).to.equal(0);
    expect(out).to.include('All secrets are encrypted with "new": "old" may be removed from ENCRYPTION_KEYS');
    expect(await opened([NEW])).to.deep.equal(before);
    const kept = await database.collections.idempotencyKeys.findOne({ _id: 'digest' });
    expect(createSecretBox([NEW]).open(kept!.answer!, 'digest')).to.equal('{"secret":"kept"}');
    expect((await run([NEW])).out).to.include('All secrets are encrypted with "new".');
    const audits = await database.collections.auditEvents.find().toArray();
    expect(audits.map(({ action, workspaceId, metadata }) => [action, workspaceId, metadata])).to.deep.equal([
      ['workspace.encryption_key_rotated', anEndpoint(0).workspaceId, { keyId: 'new' }],
    ]);
    expect(JSON.parse((await run([NEW], '--json')).out)).to.deep.equal({
      ok: true,
      active: 'new',
      sealed: { 'signing secrets': { new: 375 }, 'request headers': {}, 'kept answers': { new: 1 } },
    });
  });

  it('resumes after an interruption', async () => {
    const [place] = createSealedRows(database);
    for (const row of await place!.encryptedWithOtherKey('new', '', 100)) {
      const boxes = row.boxes.map(({ path, sealed }) => ({
        path,
        sealed: createSecretBox([NEW]).seal(createSecretBox([OLD]).open(sealed, row.id), row.id),
      }));
      await place!.replace(row, boxes);
    }
    const done = await database.collections.endpoints
      .find({ 'secrets.current.keyId': 'new' })
      .sort({ _id: 1 })
      .toArray();
    expect((await run([NEW, OLD])).code).to.equal(0);
    const after = await database.collections.endpoints
      .find({ _id: { $in: done.map(({ _id }) => _id) } })
      .sort({ _id: 1 })
      .toArray();
    expect(after).to.deep.equal(done);
  });

  /** A run that fails in its second page of rows, some of which are replaced then. */
  const interrupted = async () => {
    const { db } = database;
    const found = await db.collection('endpoints').find().sort({ _id: 1 }).skip(150).limit(1).toArray();
    const validator = { $or: [{ _id: { $ne: found[0]!._id } }, { 'secrets.current.keyId': 'old' }] };
    await db.command({ collMod: 'endpoints', validator });
    const { code, err } = await run([NEW, OLD]);
    await db.command({ collMod: 'endpoints', validator: {} });
    expect(code).to.equal(1);
    expect(err).to.include('failed validation');
  };
  const recorded = async () => {
    const audits = await database.collections.auditEvents.find().toArray();
    return audits.map(({ workspaceId }) => workspaceId);
  };

  it('records a rotation that was interrupted in the audit log of every workspace', async () => {
    await database.collections.endpoints.updateMany({}, [
      { $set: { workspaceId: { $concat: ['ws_', '$_id'] } } },
    ]);
    await interrupted();
    expect((await run([NEW, OLD])).code).to.equal(0);
    const workspaceIds = await database.collections.endpoints.distinct('workspaceId');
    expect(await recorded()).to.have.members(workspaceIds);
  });

  it('records a rotation once, however often it is interrupted, and the next one again', async () => {
    const acme = anEndpoint(0).workspaceId;
    await interrupted();
    await interrupted();
    expect((await run([NEW, OLD])).code).to.equal(0);
    expect(await recorded()).to.deep.equal([acme]);
    expect((await run([OLD, NEW])).code).to.equal(0);
    expect((await run([NEW, OLD])).code).to.equal(0);
    expect(await recorded()).to.deep.equal([acme, acme, acme]);
  });

  it('does not overwrite concurrent changes', async () => {
    const [place] = createSealedRows(database);
    const [row] = await place!.encryptedWithOtherKey('new', '', 1);
    const fresh = createSecretBox([OLD]).seal('rotated meanwhile', row!.id);
    await database.collections.endpoints.updateOne({ _id: row!.id }, { $set: { 'secrets.current': fresh } });
    expect(await place!.replace(row!, row!.boxes)).to.equal(false);
    const stored = await database.collections.endpoints.findOne({ _id: row!.id });
    expect(stored!.secrets!.current).to.deep.equal(fresh);

    await database.collections.endpoints.updateOne({ _id: row!.id }, { $set: { secrets: null } });
    expect(await place!.replace(row!, row!.boxes)).to.equal(false);
    expect((await run([NEW, OLD])).code).to.equal(0);
  });

  it('reports a missing key and re-encrypts the rest', async () => {
    const lost = createSecretBox([{ id: 'lost', key: Buffer.alloc(32, 9) }]).seal('x', idOf(0));
    await database.collections.endpoints.updateOne({ _id: idOf(0) }, { $set: { 'secrets.current': lost } });
    const { code, out, err } = await run([NEW, OLD]);
    expect(code).to.equal(1);
    expect(out)
      .to.include('signing secrets: 1 encrypted with key "lost"')
      .and.to.include('374 encrypted with key "new"');
    expect(err).to.include(`secrets.current of ${idOf(0)} is left unchanged`);
    expect(err).to.include(
      'ENCRYPTION_KEYS lacks "lost", which stored secrets are encrypted with: add it and run this command again',
    );
  });

  it('reports that the old key is still needed while a secret cannot be decrypted', async () => {
    const broken = { ...anEndpoint(0).secrets!.current, box: Buffer.alloc(48).toString('base64') };
    await database.collections.endpoints.updateOne({ _id: idOf(0) }, { $set: { 'secrets.current': broken } });
    const { code, err } = await run([NEW, OLD]);
    expect(code).to.equal(1);
    expect(err).to.include('secrets are still encrypted with "old"');
  });
});
