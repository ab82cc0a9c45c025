import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import type { Problem } from '../../src/contract/problem.js';
import type { Webhook } from '../../src/contract/webhook.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { CREATE, type Endpoints, endpointsOf } from './endpoints-of.js';

describe('webhook endpoints', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld({ EGRESS_DENY_CIDRS: '8.8.8.0/24', EGRESS_PORTS: '443,8443' });
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  describe('create_webhook', () => {
    it('returns the endpoint without its secret and timestamps', async () => {
      const { status, body } = await admin.request<Webhook>('/webhooks', { body: CREATE });
      expect(status).to.equal(201);
      expect(body.id).to.match(/^whe_[a-z0-9]+$/);
      expect(body).to.deep.equal({
        id: body.id,
        ...CREATE,
        enabled: true,
        consecutiveFailures: 0,
        disabledReason: null,
        recovery: 'manual',
        heldDeliveries: 0,
        missedDeliveries: 0,
        headerNames: [],
        metadata: {},
        ratePerSecond: null,
        filter: null,
        signing: 'hmac-sha256',
        publicKey: null,
        previousSecretExpiresAt: null,
      });
    });

    it('stores an encrypted secret of 32 bytes that can only be decrypted for this endpoint', async () => {
      const { id } = await endpoints.create();
      const endpoint = await endpoints.stored(id);
      const box = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
      const secret = box.open(endpoint!.secrets!.current, id);
      expect(Buffer.from(secret.replace('whsec_', ''), 'base64')).to.have.length(32);
      expect(() => box.open(endpoint!.secrets!.current, 'whe_another')).to.throw();
    });

    it('writes the audit entry and the event, both with only the origin of the URL', async () => {
      const before = world.offered.length;
      const { id } = await endpoints.create();
      const [record, ...more] = world.offered.slice(before);
      const [entry] = await world.audits(id);
      expect(entry).to.deep.include({
        action: 'webhook_endpoint.created',
        actor: { type: 'api_token', id: admin.tokenId },
        workspaceId: world.workspace.id,
        metadata: {
          origin: 'https://hooks.example.com',
          eventTypes: CREATE.eventTypes,
          eventId: record!.value.eventId,
        },
      });
      expect(more).to.be.empty;
      expect(record).to.deep.include({
        topic: 'workspace.events',
        key: world.workspace.id,
        subject: 'workspace.events-webhook_endpoint.created',
      });
      expect(record!.value).to.deep.include({
        workspaceId: world.workspace.id,
        endpointId: id,
        origin: 'https://hooks.example.com',
        eventTypes: CREATE.eventTypes,
      });
      expect(await world.database.collections.outbox.findOne({ _id: record!.id })).to.not.equal(null);
    });

    it('ignores a duplicate event type', async () => {
      const { eventTypes } = await endpoints.create({
        eventTypes: ['api_token.created', 'api_token.created'],
      });
      expect(eventTypes).to.deep.equal(['api_token.created']);
    });

    it('creates an endpoint that is disabled by the operator', async () => {
      expect(await endpoints.create({ enabled: false })).to.include({
        enabled: false,
        disabledReason: 'operator',
      });
    });

    for (const url of [
      'http://hooks.example.com',
      'https://localhost/x',
      'https://intranet/x',
      'https://10.0.0.1/x',
      'https://[::1]/x',
      'https://ada:secret@hooks.example.com',
      'https://hooks.example.com/#part',
      'https://10.0.0.1./x',
      'https://2130706433/x',
      'https://0177.0.0.1/x',
      'https://0x7f000001/x',
      'https://[::ffff:10.0.0.1]:8443/x',
      'https://localhost./x',
      'https://xn--intranet/x',
      'https://8.8.8.8/x',
      'https://hooks.example.com:444/x',
      'https://hooks.example.com/'.padEnd(2_049, 'x'),
      'nonsense',
    ]) {
      it(`refuses ${url.slice(0, 50)} and writes nothing`, async () => {
        const before = await world.database.collections.endpoints.countDocuments();
        const { status, body } = await admin.requestRefused('/webhooks', { body: { ...CREATE, url } });
        expect(status).to.equal(400);
        expect(body.tag).to.equal('InvalidWebhookUrl');
        expect(body.errors?.[0]?.path).to.equal('url');
        expect(await world.database.collections.endpoints.countDocuments()).to.equal(before);
      });
    }
  });

  describe('the quota of endpoints', () => {
    it('counts live ones, and is kept by concurrent requests', async () => {
      const workspace = await world.addWorkspace('full');
      const owner = await world.as(['admin'], { workspace });
      const create = () => owner.request<Webhook & Problem>('/webhooks', { body: CREATE });
      const quotas = { endpoints: 3 };
      await world.database.collections.workspaces.updateOne({ _id: workspace.id }, { $set: { quotas } });
      const results = await Promise.all(Array.from({ length: 6 }, create));
      const [made, refused] = [201, 409].map((status) => results.filter((one) => one.status === status));
      expect([made!.length, refused!.length]).to.deep.equal([3, 3]);
      expect(refused![0]!.body.tag).to.equal('TooManyEndpoints');
      await owner.request(`/webhooks/${made![0]!.body.id}`, { method: 'DELETE' });
      expect((await create()).status).to.equal(201);
      expect((await create()).status).to.equal(409);
    });
  });

  describe('get_webhook and list_webhooks', () => {
    it('returns one endpoint, and 404 for an unknown one', async () => {
      const created = await endpoints.create();
      expect((await admin.request(`/webhooks/${created.id}`)).body).to.deep.equal(created);
      for (const id of ['whe_0000000000000000000000000', 'tok_x', '%00', 'nonsense']) {
        const { status, body } = await admin.requestRefused(`/webhooks/${id}`);
        expect([status, body.tag]).to.deep.equal([404, 'EndpointNotFound']);
      }
    });

    it('list by ascending id, page by page, without gaps or duplicates', async () => {
      const workspace = await world.addWorkspace('lister');
      const lister = await world.as(['admin'], { workspace });
      const ids: string[] = [];
      for (let count = 0; count < 5; count += 1) {
        ids.push((await lister.request<Webhook>('/webhooks', { body: CREATE })).body.id);
      }
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body }: { body: Page<Webhook> } = await lister.request(`/webhooks?limit=2${query}`);
        seen.push(...body.items.map(({ id }) => id));
        cursor = body.nextCursor;
      }
      expect(seen).to.deep.equal([...ids].sort());
    });
  });
});
