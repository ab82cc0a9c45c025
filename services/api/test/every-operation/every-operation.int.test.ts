import { PERMISSIONS } from '@postrider/shared/domain/permission';
import type { RefusalTag } from '@postrider/shared/domain/refusal';
import { expect } from 'chai';
import { PROBLEM_KINDS } from '../../src/contract/problem.js';
import { METHODS, type Operation } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
import { type Door, door } from '../door.js';
import { thingsIn } from './things.js';
import { type Try, triesOf } from './tries.js';

interface Declared {
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
}

const declared: readonly Declared[] = Object.entries(readDocument().paths).flatMap(([template, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ template, method, operation: item[method] }] : [])),
);

describe('every operation', () => {
  let world: ApiWorld;
  let admin: Door;
  let stranger: Door;
  let tries: ReturnType<typeof triesOf>;
  before(async () => {
    world = await apiWorld();
    admin = await world.as(['admin']);
    stranger = await world.as(['admin'], { workspace: await world.addWorkspace('stranger') });
    tries = triesOf(thingsIn(world, admin));
  });
  after(() => world?.destroy());

  /** Sends a request. The response is validated against the OpenAPI document. */
  function ask({ template, method }: Declared, { ids = {}, body }: Try, as: Door, more: object = {}) {
    const path = template
      .replace('/workspaces/{slug}', '')
      .replace(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
    return as.refused(path, { method: method.toUpperCase(), ...(body && { body }), ...more });
  }
  const works = (id: string) => tries[id]!.works();
  const outcome = ({ status, body }: Awaited<ReturnType<typeof ask>>) => [status, body?.tag];
  const meaning = (tag: RefusalTag) => [PROBLEM_KINDS[tag].status, tag];

  it('has a test of its success and of each declared refusal', () => {
    expect(Object.keys(tries).sort()).to.deep.equal(
      declared.map(({ operation }) => operation.operationId).sort(),
    );
    for (const { operation } of declared) {
      const { refused } = tries[operation.operationId]!;
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
        const { status, headers } = await ask(one, await works(operationId), admin);
        expect(String(status)).to.equal(success);
        expect(headers.get('ratelimit')).to.match(/^"rest_(read|write)";r=\d+;t=\d+$/);
      });

      for (const tag of operation['x-refusals'] ?? []) {
        it(`refuses with ${tag}`, async () => {
          const tried = await tries[operationId]!.refused[tag]!();
          const as = tried.as === undefined ? admin : await world.as(tried.as);
          const before = world.offered.length;
          expect(outcome(await ask(one, tried, as))).to.deep.equal(meaning(tag));
          expect(world.offered, 'messages of a refused request').to.have.length(before);
        });
      }

      if (permission !== undefined) {
        it('refuses missing, unknown, expired and revoked tokens', async () => {
          const tried = await works(operationId);
          const past = new Date(world.clock.now().getTime() - 1);
          const doors = [
            door({ ...admin, slug: 'acme', secret: '' }),
            door({ ...admin, slug: 'acme', secret: 'prt_unknown' }),
            await world.as(['admin'], { expiresAt: past }),
            await world.as(['admin'], { revokedAt: past }),
          ];
          for (const as of doors) {
            expect(outcome(await ask(one, tried, as))).to.deep.equal(meaning('Unauthorized'));
          }
        });

        it("refuses another workspace's token", async () => {
          const foreign = door({ ...stranger, slug: 'acme' });
          const answer = await ask(one, await works(operationId), foreign);
          expect(outcome(answer)).to.deep.equal(meaning('WorkspaceNotFound'));
        });

        it(`requires ${permission} and no other permission`, async () => {
          const others = PERMISSIONS.filter((name) => name !== permission);
          const answer = await ask(one, await works(operationId), await world.as(others));
          expect(outcome(answer)).to.deep.equal(meaning('Forbidden'));
          expect(answer.body.detail).to.include(permission);
          if (operationId === 'create_api_token') return;
          const enough = await world.as([permission as (typeof PERMISSIONS)[number]]);
          expect((await ask(one, await works(operationId), enough)).status).to.be.below(300);
        });
      }

      if (template.replace('{slug}', '').includes('{')) {
        it('does not find resources of another workspace', async () => {
          const answer = await ask(one, await works(operationId), stranger);
          expect(answer.status).to.equal(404);
          expect(operation['x-refusals']).to.include(answer.body.tag);
        });

        it('returns 404 for ids of another kind and malformed ids', async () => {
          const tried = await works(operationId);
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
              Object.keys(tried.ids ?? {}).map((name) => [name, encodeURIComponent(id)]),
            );
            if (template.includes('{tokenId}') && id === admin.tokenId) continue;
            const answer = await ask(one, { ...tried, ids }, admin);
            expect(answer.status, id).to.equal(404);
            expect(operation['x-refusals']).to.include(answer.body.tag);
          }
        });
      }

      if (operation.requestBody !== undefined) {
        it('refuses unknown fields, malformed JSON, other content types and large bodies', async () => {
          const { body, ...tried } = await works(operationId);
          const unknown = await ask(one, { ...tried, body: { ...body, surprise: 1 } }, admin);
          expect(outcome(unknown)).to.deep.equal(meaning('InvalidRequest'));
          expect(unknown.body.errors?.map(({ path }) => path)).to.deep.equal(['surprise']);
          const broken = await ask(one, tried, admin, { body: '{' });
          expect(outcome(broken)).to.deep.equal(meaning('InvalidRequest'));
          const missing = await ask(one, tried, admin);
          expect(outcome(missing)).to.deep.equal(meaning('InvalidRequest'));
          const text = await ask(one, { ...tried, body: body! }, admin, {
            headers: { 'content-type': 'text/plain' },
          });
          expect(outcome(text)).to.deep.equal(meaning('UnsupportedMediaType'));
          const large = await ask(one, tried, admin, { body: ' '.repeat(64 * 1024 + 1) });
          expect(outcome(large)).to.deep.equal(meaning('PayloadTooLarge'));
        });
      }

      if (operation.parameters.some((parameter) => 'name' in parameter && parameter.name === 'cursor')) {
        it('clamps any number as page size and refuses anything else', async () => {
          const tried = await works(operationId);
          const paged = (limit: string) =>
            ask({ ...one, template: `${template}?limit=${limit}` }, tried, admin);
          expect(outcome(await paged('abc'))).to.deep.equal(meaning('InvalidRequest'));
          for (const limit of ['0', '-5', '1e9', '2.5']) expect((await paged(limit)).status).to.equal(200);
        });
      }

      if (method === 'post') {
        it('takes effect once per idempotency key and refuses the key for another request', async () => {
          const tried = await works(operationId);
          const headers = { 'idempotency-key': `every-${operationId}` };
          const first = await ask(one, tried, admin, { headers });
          const before = world.offered.length;
          const second = await ask(one, tried, admin, { headers });
          expect([second.status, second.body]).to.deep.equal([first.status, first.body]);
          expect(world.offered).to.have.length(before);
          const other = { headers, body: `${tried.body === undefined ? '{}' : JSON.stringify(tried.body)} ` };
          const reused = await ask(one, tried, admin, other);
          expect(outcome(reused)).to.deep.equal(meaning('IdempotencyKeyReused'));
        });
      }
    });
  }
});
