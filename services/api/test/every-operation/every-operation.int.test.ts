import { NEWEST_LEVEL } from '@postrider/shared/domain/feature-level';
import { PERMISSIONS } from '@postrider/shared/domain/permission';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { PROBLEM_KINDS } from '../../src/contract/problem.js';
import { METHODS, type Operation } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import type { RefusalTag } from '../../src/domain/refusal.js';
import { type ApiClient, createApiClient } from '../api-client.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { answersOnce } from './answers-once.js';
import { createResources } from './resources.js';
import { type ApiRequest, scenariosOf } from './scenarios.js';

interface Declared {
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
}

const declared: readonly Declared[] = Object.entries(readDocument().paths)
  .filter(([template]) => template.startsWith('/workspaces/{slug}/'))
  .flatMap(([template, item]) =>
    METHODS.flatMap((method) => (item[method] ? [{ template, method, operation: item[method] }] : [])),
  )
  .filter(({ operation }) => answersOnce(operation));

describe('every operation of a workspace', () => {
  let world: ApiWorld;
  let admin: ApiClient;
  let stranger: ApiClient;
  let scenarios: ReturnType<typeof scenariosOf>;
  before(async () => {
    world = await apiWorld();
    world.catalogue.set([anEventType()]);
    admin = await world.as(['admin']);
    stranger = await world.as(['admin'], { workspace: await world.addWorkspace('stranger') });
    scenarios = scenariosOf(createResources(world, admin));
  });
  after(() => world?.destroy());

  /** Sends a request. The response is validated against the OpenAPI document. */
  function send(
    { template, method }: Declared,
    { ids = {}, body, query = '' }: ApiRequest,
    as: ApiClient,
    more: object = {},
  ) {
    const path = template
      .replace('/workspaces/{slug}', '')
      .replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    return as.requestRefused(`${path}${query}`, {
      method: method.toUpperCase(),
      ...(body && { body }),
      ...more,
    });
  }
  const successOf = (id: string) => scenarios[id]!.success();
  const outcome = ({ status, body }: Awaited<ReturnType<typeof send>>) => [status, body?.tag];
  const meaning = (tag: RefusalTag) => [PROBLEM_KINDS[tag].status, tag];

  it('has a test of its success and of each declared refusal', () => {
    expect(Object.keys(scenarios).sort()).to.deep.equal(
      declared.map(({ operation }) => operation.operationId).sort(),
    );
    for (const { operation } of declared) {
      const { refused } = scenarios[operation.operationId]!;
      expect(Object.keys(refused).sort(), operation.operationId).to.deep.equal(
        [...(operation['x-refusals'] ?? [])].sort(),
      );
    }
  });

  for (const one of declared) {
    const { operation, method, template } = one;
    const { operationId } = operation;
    const permission = operation.security[0]?.bearer[0];

    describe(operationId, () => {
      it('succeeds', async () => {
        const [success] = Object.keys(operation.responses);
        const { status, headers } = await send(one, await successOf(operationId), admin);
        expect(String(status)).to.equal(success);
        expect(headers.get('ratelimit')).to.match(/^"(rest_(read|write)|publish)";r=\d+;t=\d+$/);
      });

      for (const tag of operation['x-refusals'] ?? []) {
        it(`refuses with ${tag}`, async () => {
          const request = await scenarios[operationId]!.refused[tag]!();
          const as = request.as === undefined ? admin : await world.as(request.as);
          const before = world.offered.length;
          world.featureLevel.set(request.featureLevel ?? NEWEST_LEVEL);
          expect(outcome(await send(one, request, as))).to.deep.equal(meaning(tag));
          world.featureLevel.set(NEWEST_LEVEL);
          expect(world.offered, 'messages of a refused request').to.have.length(before);
          await request.after?.();
        });
      }

      if (permission !== undefined) {
        it('refuses missing, unknown, expired and revoked tokens', async () => {
          const request = await successOf(operationId);
          const past = new Date(world.clock.now().getTime() - 1);
          const clients = [
            createApiClient({ ...admin, slug: 'acme', secret: '' }),
            createApiClient({ ...admin, slug: 'acme', secret: 'prt_unknown' }),
            await world.as(['admin'], { expiresAt: past }),
            await world.as(['admin'], { revokedAt: past }),
          ];
          for (const as of clients) {
            expect(outcome(await send(one, request, as))).to.deep.equal(meaning('Unauthorized'));
          }
        });

        it("refuses another workspace's token", async () => {
          const foreign = createApiClient({ ...stranger, slug: 'acme' });
          const response = await send(one, await successOf(operationId), foreign);
          expect(outcome(response)).to.deep.equal(meaning('WorkspaceNotFound'));
        });

        it(`requires ${permission} and no other permission`, async () => {
          const others = PERMISSIONS.filter((name) => name !== permission);
          const response = await send(one, await successOf(operationId), await world.as(others));
          expect(outcome(response)).to.deep.equal(meaning('Forbidden'));
          expect(response.body.detail).to.include(permission);
          if (operationId === 'create_api_token') return;
          const enough = await world.as([permission as (typeof PERMISSIONS)[number]]);
          expect((await send(one, await successOf(operationId), enough)).status).to.be.below(300);
        });
      }

      // A type is not of a workspace, and an event that is not stored is explained as unknown.
      const isOfWorkspace = operationId !== 'get_event_type' && operationId !== 'explain_event';
      if (isOfWorkspace && template.replace('{slug}', '').includes('{')) {
        it('does not find resources of another workspace', async () => {
          const response = await send(one, await successOf(operationId), stranger);
          expect(response.status).to.equal(404);
          expect(operation['x-refusals']).to.include(response.body.tag);
        });

        it('returns 404 for ids of another kind and malformed ids', async () => {
          const request = await successOf(operationId);
          for (const id of [
            world.workspace.id,
            admin.tokenId,
            'nonsense',
            '$ne',
            '\u0000',
            '😀',
            'x'.repeat(2_000),
          ]) {
            const ids = Object.fromEntries(
              Object.keys(request.ids ?? {}).map((name) => [name, encodeURIComponent(id)]),
            );
            if (template.includes('{tokenId}') && id === admin.tokenId) continue;
            const response = await send(one, { ...request, ids }, admin);
            expect(response.status, id).to.equal(404);
            expect(operation['x-refusals']).to.include(response.body.tag);
          }
        });
      }

      if (operation.requestBody !== undefined) {
        it('refuses unknown fields, malformed JSON, other content types and large bodies', async () => {
          const { body, ...request } = await successOf(operationId);
          const unknown = await send(one, { ...request, body: { ...body, surprise: 1 } }, admin);
          expect(outcome(unknown)).to.deep.equal(meaning('InvalidRequest'));
          expect(unknown.body.errors?.map(({ path }) => path)).to.deep.equal(['surprise']);
          const broken = await send(one, request, admin, { body: '{' });
          expect(outcome(broken)).to.deep.equal(meaning('InvalidRequest'));
          const missing = await send(one, request, admin);
          expect(outcome(missing)).to.deep.equal(meaning('InvalidRequest'));
          const text = await send(one, { ...request, body: body! }, admin, {
            headers: { 'content-type': 'text/plain' },
          });
          expect(outcome(text)).to.deep.equal(meaning('UnsupportedMediaType'));
          const most = operation['x-max-body-bytes'] ?? 64 * 1024;
          const large = await send(one, request, admin, { body: ' '.repeat(most + 1) });
          expect(outcome(large)).to.deep.equal(meaning('PayloadTooLarge'));
        });
      }

      if (operation.parameters.some((parameter) => 'name' in parameter && parameter.name === 'cursor')) {
        it('clamps any number as page size and refuses anything else', async () => {
          const request = await successOf(operationId);
          const paged = (limit: string) =>
            send({ ...one, template: `${template}?limit=${limit}` }, request, admin);
          expect(outcome(await paged('abc'))).to.deep.equal(meaning('InvalidRequest'));
          for (const limit of ['0', '-5', '1e9', '2.5']) expect((await paged(limit)).status).to.equal(200);
        });
      }

      if (method === 'post') {
        it('takes effect once per idempotency key and refuses the key for another request', async () => {
          const request = await successOf(operationId);
          const headers = { 'idempotency-key': `every-${operationId}` };
          const first = await send(one, request, admin, { headers });
          const before = world.offered.length;
          const second = await send(one, request, admin, { headers });
          expect([second.status, second.body]).to.deep.equal([first.status, first.body]);
          expect(world.offered).to.have.length(before);
          const other = {
            headers,
            body: `${request.body === undefined ? '{}' : JSON.stringify(request.body)} `,
          };
          const reused = await send(one, request, admin, other);
          expect(outcome(reused)).to.deep.equal(meaning('IdempotencyKeyReused'));
        });
      }
    });
  }
});
