import { FIRST_LEVEL, NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { expect } from 'chai';
import type { RotatedKey, RotatedSecret, Webhook } from '../../src/contract/webhook.js';
import { createErasePreviousSecrets } from '../../src/mongo/erase-previous-secrets.js';
import { createSealedRows } from '../../src/mongo/sealed-rows.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { CREATE, type Endpoints, endpointsOf } from './endpoints-of.js';

const VALUE = 'Bearer value-that-is-a-secret';
const OPTIONS = {
  headers: { Authorization: VALUE, 'x-team': 'billing' },
  metadata: { customer: '42', 'a.$b': 'é' },
  ratePerSecond: 50,
  filter: { plan: ['team', { prefix: 'b' }], 'lines.$sku': [{ exists: false }] },
  signing: 'ed25519',
};
const box = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);

describe('endpoint options', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  const patch = async (id: string, body: object) =>
    (await admin.request<Webhook>(`/webhooks/${id}`, { method: 'PATCH', body })).body;
  const refused = (body: object) => admin.requestRefused('/webhooks', { body: { ...CREATE, ...body } });
  const rotate = async <T>(id: string) =>
    (await admin.request<T>(`/webhooks/${id}/rotate-secret`, { method: 'POST' })).body;
  const changed = async (id: string) => (await world.audits(id)).map(({ metadata }) => metadata.changed);

  it('are stored on creation and returned without the values of headers', async () => {
    const made = await endpoints.create(OPTIONS);
    const { headers: _, ...shown } = OPTIONS;
    expect(made).to.deep.include({ ...shown, headerNames: ['authorization', 'x-team'] });
    expect(made.publicKey).to.match(/^whpk_[A-Za-z0-9+/]{43}=$/);
    const { body } = await admin.request<Webhook>(`/webhooks/${made.id}`);
    expect(body).to.deep.equal(made);
    const stored = await endpoints.stored(made.id);
    expect(JSON.stringify(stored)).to.not.include('value-that-is-a-secret');
    const opened = box.open(stored!.headers!.sealed, made.id);
    expect(JSON.parse(opened)).to.deep.equal({ authorization: VALUE, 'x-team': 'billing' });
    expect(box.open(stored!.secrets!.current, made.id)).to.match(/^whsk_/);
  });

  it('are replaced as a whole, kept when absent and reset by null', async () => {
    const { id } = await endpoints.create(OPTIONS);
    expect(await patch(id, { metadata: { only: 'one' }, headers: { 'X-New': '1' } })).to.deep.include({
      metadata: { only: 'one' },
      headerNames: ['x-new'],
      ratePerSecond: 50,
      filter: OPTIONS.filter,
    });
    const reset = { headers: null, metadata: null, ratePerSecond: null, filter: null, signing: null };
    expect(await patch(id, reset)).to.deep.include({
      headerNames: [],
      metadata: {},
      ratePerSecond: null,
      filter: null,
      signing: 'hmac-sha256',
      publicKey: null,
    });
    expect(await changed(id)).to.deep.equal([
      undefined,
      ['headers', 'metadata'],
      ['signing', 'headers', 'metadata', 'ratePerSecond', 'filter'],
    ]);
    const entries = JSON.stringify(await world.audits(id));
    for (const secret of ['value-that-is-a-secret', 'whpk_', 'only']) expect(entries).to.not.include(secret);
  });

  it('change nothing and write no audit entry when they are sent again', async () => {
    const { id } = await endpoints.create(OPTIONS);
    const before = await endpoints.stored(id);
    await patch(id, OPTIONS);
    expect(await endpoints.stored(id)).to.deep.equal(before);
    const headers = { 'x-team': 'billing', authorization: 'Bearer value-that-is-a-secret' };
    const both = await endpoints.create({ headers });
    const stored = await endpoints.stored(both.id);
    await patch(both.id, { headers: Object.fromEntries(Object.entries(headers).toReversed()) });
    expect(await endpoints.stored(both.id)).to.deep.equal(stored);
    expect(await endpoints.actions(id)).to.deep.equal(['webhook_endpoint.created']);
    const plain = await endpoints.create();
    await patch(plain.id, { headers: {}, metadata: {}, ratePerSecond: null, filter: null, signing: null });
    expect(await endpoints.actions(plain.id)).to.deep.equal(['webhook_endpoint.created']);
  });

  // Regression: the request failed, so headers whose key is gone could not be replaced.
  it('replace headers that cannot be decrypted any more', async () => {
    const { id } = await endpoints.create({ headers: { 'x-old': '1' } });
    await world.database.collections.endpoints.updateOne(
      { _id: id as never },
      { $set: { 'headers.sealed.keyId': 'lost' } },
    );
    expect(await patch(id, { headers: { 'x-new': '2' } })).to.deep.include({ headerNames: ['x-new'] });
  });

  it('are refused with every mistake, each at its field', async () => {
    const { status, body } = await refused({
      headers: { 'Webhook-Id': 'x', 'bad name': 'x', ok: 'line\nbreak', Host: 'x', dup: '1', DUP: '2' },
      metadata: { '': 'x' },
      ratePerSecond: 0,
      filter: { a: [], b: [{ like: 'x' }] },
      signing: 'rsa',
    });
    expect(status).to.equal(400);
    expect(body.tag).to.equal('InvalidRequest');
    expect(body.errors!.map(({ path }) => path)).to.have.members([
      'headers.Webhook-Id',
      'headers["bad name"]',
      'headers.ok',
      'headers.Host',
      'headers.DUP',
      'metadata[""]',
      'ratePerSecond',
      'filter.a',
      'filter.b[0].like',
      'signing',
    ]);
    expect(JSON.stringify(body)).to.not.include('line');
  });

  const many = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, 'x']));
  for (const [name, option] of [
    ['more than 10 headers', { headers: many(11) }],
    ['headers that are too long together', { headers: { a: 'x'.repeat(4_096), b: 'x'.repeat(4_096) } }],
    ['a header of another type', { headers: { a: 1 } }],
    ['a header that cannot be converted to text', { headers: { a: { toString: 1 } } }],
    ['headers that are a list', { headers: [] }],
    // Regression: stored in lower case, it kept every attempt of the endpoint from being recorded.
    ['a header whose name the database refuses', { headers: { _BSONTYPE: 'x' } }],
    ['a header of the connection', { headers: { 'Proxy-Authorization': 'x' } }],
    ['a header with spaces around', { headers: { a: ' x' } }],
    ['a header that is not ASCII', { headers: { a: 'é' } }],
    ['more than 20 pairs of metadata', { metadata: many(21) }],
    ['metadata of more than 1 KiB', { metadata: { a: 'x'.repeat(1_020) } }],
    ['metadata of another type', { metadata: { a: null } }],
    ['a rate above 1,000', { ratePerSecond: 1_001 }],
    ['a rate that is no integer', { ratePerSecond: 1.5 }],
    ['a filter that is a list', { filter: [] }],
    [
      'a filter with 11 paths',
      { filter: Object.fromEntries(Object.keys(many(11)).map((path) => [path, [1]])) },
    ],
  ] as const) {
    it(`refuse ${name}`, async () => {
      const { status, body } = await refused(option);
      expect(status, JSON.stringify(body)).to.equal(400);
      expect(body.errors).to.have.length(1);
      expect(body.errors![0]!.path.startsWith(Object.keys(option)[0]!)).to.equal(true);
    });
  }

  for (const [what, headers] of [
    ['is too long', { a: VALUE.padEnd(4_097, 'x') }],
    ['is too long with others', { a: VALUE.padEnd(4_096, 'x'), b: VALUE.padEnd(4_096, 'x') }],
    ['ends its line', { a: `${VALUE}\nx` }],
    ['has spaces around', { a: ` ${VALUE}` }],
    ['is not ASCII', { a: `${VALUE}é` }],
    ['is of another type', { a: [VALUE] }],
    ['has a name that is reserved', { host: VALUE }],
    ['has a name that is invalid', { 'a b': VALUE }],
    ['has a name that is repeated', { a: VALUE, A: VALUE }],
  ] as const)
    it(`refuse a header whose value ${what}, without repeating the value`, async () => {
      const { status, body } = await refused({ headers });
      expect(status).to.equal(400);
      expect(JSON.stringify(body)).to.not.include('value-that-is-a-secret');
    });

  it('accept every other header name that HTTP allows', async () => {
    const headers = { "!#$%&'*+-.^_`|~09aZ": 'x', cookie: 'a=b', __proto: '', 'x-empty': '' };
    const { headerNames } = await endpoints.create({ headers });
    expect(headerNames).to.deep.equal(Object.keys(headers).map((name) => name.toLowerCase()));
  });

  it('are accepted once every process understands them', async () => {
    const { id } = await endpoints.create();
    world.featureLevel.set(FIRST_LEVEL);
    const answers = [];
    for (const [name, value] of Object.entries(OPTIONS)) {
      answers.push(await admin.requestRefused('/webhooks', { body: { ...CREATE, [name]: value } }));
      answers.push(
        await admin.requestRefused(`/webhooks/${id}`, { method: 'PATCH', body: { [name]: value } }),
      );
    }
    const untouched = await patch(id, {
      filter: null,
      signing: 'hmac-sha256',
      description: 'still possible',
    });
    world.featureLevel.set(NEWEST_LEVEL);
    expect(answers.map(({ body }) => body.tag)).to.deep.equal(Array(10).fill('UpgradeInProgress'));
    expect(answers.at(-3)!.body.detail).to.include('Filters can be used once');
    expect(untouched.description).to.equal('still possible');
  });

  it('are gone after a deletion, as far as they are secret', async () => {
    const { id } = await endpoints.create(OPTIONS);
    await admin.request(`/webhooks/${id}`, { method: 'DELETE' });
    expect(await endpoints.stored(id)).to.include({ headers: null, secrets: null });
  });

  it('are found by the rotation of encryption keys', async () => {
    await endpoints.create(OPTIONS);
    const rows = createSealedRows(world.database).find(({ title }) => title === 'request headers');
    const found = await rows!.encryptedWithOtherKey('another', '', 10);
    expect(found.flatMap(({ boxes }) => boxes.map(({ path }) => path))).to.include('headers.sealed');
  });

  describe('signing: ed25519', () => {
    it('is rotated to another public key, and both keys sign for 24 hours', async () => {
      const made = await endpoints.create({ signing: 'ed25519' });
      const rotated = await rotate<RotatedKey>(made.id);
      expect(Object.keys(rotated)).to.have.members(['publicKey', 'previousKeyExpiresAt']);
      expect(rotated.publicKey)
        .to.match(/^whpk_/)
        .and.to.not.equal(made.publicKey);
      const { body } = await admin.request<Webhook>(`/webhooks/${made.id}`);
      expect(body).to.include({
        publicKey: rotated.publicKey,
        previousSecretExpiresAt: rotated.previousKeyExpiresAt,
      });
      const stored = (await endpoints.stored(made.id))!.secrets!;
      expect(box.open(stored.previous!.secret, made.id)).to.match(/^whsk_/);
      const later = new Date(Date.parse(rotated.previousKeyExpiresAt) + 1);
      await createErasePreviousSecrets(world.database.collections)(later);
      expect((await endpoints.stored(made.id))!.secrets!.previous).to.equal(null);
    });

    it('makes a key at once when it is chosen, and an HMAC secret when it is left', async () => {
      const { id } = await endpoints.create();
      const asymmetric = await patch(id, { signing: 'ed25519' });
      expect(asymmetric.publicKey).to.match(/^whpk_/);
      expect(asymmetric.previousSecretExpiresAt).to.be.a('string');
      const first = (await endpoints.stored(id))!.secrets!;
      expect(box.open(first.previous!.secret, id)).to.match(/^whsec_/);
      const back = await patch(id, { signing: 'hmac-sha256' });
      expect(back).to.include({ signing: 'hmac-sha256', publicKey: null });
      const { secret } = await rotate<RotatedSecret>(id);
      const { current, previous } = (await endpoints.stored(id))!.secrets!;
      expect(box.open(current, id)).to.equal(secret);
      expect(box.open(previous!.secret, id), 'the key pair still signs').to.match(/^whsk_/);
    });
  });
});
