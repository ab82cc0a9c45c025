import { fromDocument } from '@postrider/shared/mongo/documents';
import { createSecretBox } from '@postrider/shared/runtime/secret-box';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import type { Page } from '../../src/contract/page.js';
import type { RotatedSecret, Webhook } from '../../src/contract/webhook.js';
import { startErasingSecrets } from '../../src/erase-secrets.js';
import { createErasePreviousSecrets } from '../../src/mongo/erase-previous-secrets.js';
import type { ApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { recordedLog } from '../recorded-log.js';
import { CREATE, type Endpoints, endpointsOf } from './endpoints-of.js';

describe('webhook endpoint changes', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let endpoints: Endpoints;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    endpoints = endpointsOf(world, admin);
  });
  after(() => world?.destroy());

  describe('update_webhook', () => {
    it('changes only the fields that are present', async () => {
      const { id } = await endpoints.create();
      const { status, body } = await admin.request<Webhook>(`/webhooks/${id}`, {
        method: 'PATCH',
        body: { description: null },
      });
      expect(status).to.equal(200);
      expect(body).to.deep.include({ ...CREATE, description: null });
      expect(await endpoints.actions(id)).to.deep.equal([
        'webhook_endpoint.created',
        'webhook_endpoint.updated',
      ]);
    });

    it('keeps the start time of an existing subscription and starts a new one now', async () => {
      const { id } = await endpoints.create({ eventTypes: ['api_token.created'] });
      const before = await endpoints.stored(id);
      world.clock.advance(60_000);
      const eventTypes = ['billing.plan_changed', 'api_token.created'];
      await admin.request(`/webhooks/${id}`, { method: 'PATCH', body: { eventTypes } });
      const [changed, kept] = (await endpoints.stored(id))!.subscriptions;
      expect(kept).to.deep.equal(before!.subscriptions[0]);
      expect(changed!.since.getTime()).to.be.at.least(before!.createdAt.getTime() + 60_000);
    });

    it('remembers a name that a pattern replaces without showing it, and its start returns with it', async () => {
      const { id } = await endpoints.create({ eventTypes: ['billing.plan_changed'] });
      const [created] = (await endpoints.stored(id))!.subscriptions;
      const change = async (...eventTypes: string[]) => {
        world.clock.advance(60_000);
        const path = `/webhooks/${id}`;
        const { body } = await admin.request<Webhook>(path, { method: 'PATCH', body: { eventTypes } });
        expect(body.eventTypes).to.deep.equal(eventTypes);
        const shown = await admin.request<Webhook>(path);
        expect(shown.body).to.deep.equal(body);
        return (await endpoints.stored(id))!.subscriptions;
      };
      const [widened] = await change('*');
      expect(widened!.since).to.be.above(created!.since);
      expect(widened!.earlier).to.deep.equal([created]);
      expect(await change('billing.plan_changed')).to.deep.equal([created]);
      expect(await endpoints.actions(id)).to.have.length(3);
    });

    for (const body of [{}, { enabled: true }, { ...CREATE, eventTypes: [...CREATE.eventTypes].reverse() }]) {
      it(`writes nothing for ${JSON.stringify(body).slice(0, 40)}, which has no effect`, async () => {
        const { id } = await endpoints.create();
        const before = await endpoints.stored(id);
        const offered = world.offered.length;
        const answer = await admin.request<Webhook>(`/webhooks/${id}`, { method: 'PATCH', body });
        expect(answer.status).to.equal(200);
        expect(answer.body.eventTypes).to.deep.equal(CREATE.eventTypes);
        expect(await endpoints.stored(id)).to.deep.equal(before);
        expect(await endpoints.actions(id)).to.deep.equal(['webhook_endpoint.created']);
        expect(world.offered).to.have.length(offered);
      });
    }

    it('records the operator as the reason when disabling, and resets the streak when enabling, with the change in the audit entry', async () => {
      const { id } = await endpoints.create();
      const patch = (enabled: boolean) =>
        admin.request<Webhook>(`/webhooks/${id}`, { method: 'PATCH', body: { enabled } });
      expect((await patch(false)).body).to.include({ enabled: false, disabledReason: 'operator' });
      const failing = { consecutiveFailures: 20, streakVersion: 20, failingSince: new Date() };
      await world.database.collections.endpoints.updateOne({ _id: id }, { $set: failing });
      world.clock.advance(1_000);
      expect((await patch(true)).body).to.include({
        enabled: true,
        disabledReason: null,
        consecutiveFailures: 0,
      });
      const endpoint = fromDocument((await endpoints.stored(id))!);
      expect(endpoint).to.include({ streakVersion: 21, failingSince: null });
      const entries = await world.audits(id);
      expect(entries.map(({ action }) => action)).to.deep.equal([
        'webhook_endpoint.created',
        'webhook_endpoint.disabled',
        'webhook_endpoint.enabled',
      ]);
      expect(entries[2]!.streak).to.deep.equal({ version: 21, before: 20, after: 0 });
      expect(entries[2]!.createdAt).to.deep.equal((await endpoints.stored(id))!.enabledSince);
    });

    it('is refused with every mistake in its URL and its event types, like create_webhook', async () => {
      const { id } = await endpoints.create();
      const body = { url: 'https://10.0.0.1/x', eventTypes: ['invoice.lost', 'billing.plan_changed', 'x.y'] };
      const calls = [
        admin.requestRefused('/webhooks', { body }),
        admin.requestRefused(`/webhooks/${id}`, { method: 'PATCH', body }),
      ];
      for (const { status, body: problem } of await Promise.all(calls)) {
        expect([status, problem.tag]).to.deep.equal([400, 'InvalidWebhookUrl']);
        const paths = problem.errors?.map(({ path }) => path);
        expect(paths).to.deep.equal(['url', 'eventTypes[0]', 'eventTypes[2]']);
      }
      expect(await endpoints.actions(id)).to.deep.equal(['webhook_endpoint.created']);
    });

    it('refuses the URLs that create_webhook refuses, and an endpoint of another workspace', async () => {
      const { id } = await endpoints.create();
      const url = await admin.requestRefused(`/webhooks/${id}`, {
        method: 'PATCH',
        body: { url: 'https://10.0.0.1' },
      });
      expect(url.body.tag).to.equal('InvalidWebhookUrl');
      const stranger = await world.as(['admin'], { workspace: await world.addWorkspace('stranger') });
      const other = await stranger.requestRefused(`/webhooks/${id}`, {
        method: 'PATCH',
        body: { enabled: false },
      });
      expect([other.status, other.body.tag]).to.deep.equal([404, 'EndpointNotFound']);
      expect(await endpoints.actions(id)).to.deep.equal(['webhook_endpoint.created']);
    });

    // Regression: transactions were aborted after 10 s without a statement, and changes were refused after 8 s.
    it('succeeds although a killed process has left a transaction that locks the endpoint', async () => {
      const { id } = await endpoints.create();
      const left = world.database.client.startSession();
      left.startTransaction();
      await world.database.collections.endpoints.updateOne(
        { _id: id },
        { $set: { description: 'never stored' } },
        { session: left },
      );
      const { status, body } = await admin.request<Webhook>(`/webhooks/${id}`, {
        method: 'PATCH',
        body: { enabled: false },
      });
      expect(status).to.equal(200);
      expect(body).to.include({ enabled: false, description: CREATE.description });
      await left.abortTransaction().catch(() => {});
      await left.endSession();
    });
  });

  describe('delete_webhook', () => {
    it('hides the endpoint, erases its secrets and keeps its deliveries readable', async () => {
      const { id } = await endpoints.create();
      const { status, body } = await admin.request(`/webhooks/${id}`, { method: 'DELETE' });
      expect([status, body]).to.deep.equal([204, null]);
      expect(await endpoints.stored(id))
        .to.include({ secrets: null })
        .and.to.have.property('deletedAt')
        .that.is.a('date');
      expect(await endpoints.actions(id)).to.deep.equal([
        'webhook_endpoint.created',
        'webhook_endpoint.deleted',
      ]);
      expect((await admin.request(`/webhooks/${id}/deliveries`)).status).to.equal(200);
      for (const [path, method] of [
        [`/webhooks/${id}`, 'GET'],
        [`/webhooks/${id}`, 'DELETE'],
        [`/webhooks/${id}/test-event`, 'POST'],
        [`/webhooks/${id}/rotate-secret`, 'POST'],
      ] as const) {
        const answer = await admin.requestRefused(path, { method });
        expect([path, answer.status, answer.body.tag]).to.deep.equal([path, 404, 'EndpointNotFound']);
      }
      const { body: page } = await admin.request<Page<Webhook>>('/webhooks?limit=200');
      expect(page.items.map((item) => item.id)).to.not.include(id);
    });
  });

  describe('rotate_webhook_secret', () => {
    it('erases the previous secret when its 24 hours end, and nothing before', async () => {
      const { id } = await endpoints.create();
      const { body } = await admin.request<RotatedSecret>(`/webhooks/${id}/rotate-secret`, {
        method: 'POST',
      });
      const erase = createErasePreviousSecrets(world.database.collections);
      const expiresAt = new Date(body.previousSecretExpiresAt);
      await erase(new Date(expiresAt.getTime() - 1));
      const before = (await endpoints.stored(id))!.secrets!;
      expect(before.previous).to.not.equal(null);
      await erase(expiresAt);
      expect((await endpoints.stored(id))!.secrets).to.deep.equal({ ...before, previous: null });
    });

    // Regression: the first endpoint that the database rejected kept the previous secrets of all others.
    it('erases previous secrets although the database rejects the change of one endpoint', async () => {
      const ids = await Promise.all(Array.from({ length: 3 }, async () => (await endpoints.create()).id));
      for (const id of ids) await admin.request(`/webhooks/${id}/rotate-secret`, { method: 'POST' });
      const validator = {
        $or: [{ _id: { $ne: ids[0] } }, { 'secrets.previous.expiresAt': { $type: 'date' } }],
      };
      const rule = (next: object) => world.database.db.command({ collMod: 'endpoints', validator: next });
      await rule(validator);
      const later = new Date(world.clock.now().getTime() + 25 * 3_600_000);
      const log = recordedLog();
      const stop = startErasingSecrets({
        erase: createErasePreviousSecrets(world.database.collections),
        clock: { now: () => later },
        log,
        everyMs: 10,
      });
      await eventually(() => expect(log.lines).to.not.be.empty).finally(stop);
      const areErased = () =>
        Promise.all(ids.map(async (id) => (await endpoints.stored(id))!.secrets!.previous === null));
      expect(await areErased()).to.deep.equal([false, true, true]);
      expect(log.lines[0]).to.deep.include({ level: 'error' });
      expect(log.lines[0]!.facts).to.deep.include({
        event: 'secrets.erase_rejected',
        count: 1,
        endpointIds: [ids[0]],
      });
      await rule({});
      // The search that was stopped may still be in progress, and erase it first.
      await createErasePreviousSecrets(world.database.collections)(later);
      expect(await areErased()).to.deep.equal([true, true, true]);
    });

    it('returns a new secret once and keeps the previous one signing for a day', async () => {
      const { id } = await endpoints.create();
      const first = (await endpoints.stored(id))!.secrets!;
      const { status, body } = await admin.request<RotatedSecret>(`/webhooks/${id}/rotate-secret`, {
        method: 'POST',
      });
      expect(status).to.equal(200);
      expect(body.secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const { secrets } = (await endpoints.stored(id))!;
      const box = createSecretBox([{ id: 'test', key: Buffer.alloc(32, 1) }]);
      expect(box.open(secrets!.current, id)).to.equal(body.secret);
      expect(secrets!.previous!.secret).to.deep.equal(first.current);
      expect(secrets!.previous!.expiresAt.toISOString()).to.equal(body.previousSecretExpiresAt);
      const hours = (Date.parse(body.previousSecretExpiresAt) - world.clock.now().getTime()) / 3_600_000;
      expect(hours).to.be.within(23.9, 24);
      const shown = await admin.request<Webhook>(`/webhooks/${id}`);
      expect(shown.body.previousSecretExpiresAt).to.equal(body.previousSecretExpiresAt);
      expect(await endpoints.actions(id)).to.deep.equal([
        'webhook_endpoint.created',
        'webhook_endpoint.secret_rotated',
      ]);
    });

    it('writes no secret to audit entries, messages or logs', async () => {
      const { id } = await endpoints.create();
      const { body } = await admin.request<RotatedSecret>(`/webhooks/${id}/rotate-secret`, {
        method: 'POST',
      });
      const everything = JSON.stringify([await world.audits(id), world.offered, world.log.lines]);
      expect(everything).to.not.include(body.secret.slice(6, 30));
      expect(everything).to.not.include('s3cret-path');
      expect(everything).to.not.include(admin.secret);
    });
  });
});
