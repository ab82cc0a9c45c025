import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Attempt, Delivery, LastAttempt } from '@postrider/shared/domain/delivery';
import type { Scope } from '@postrider/shared/domain/permission';
import { toAttemptDocument, toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { aLastAttempt } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import type { Webhook } from '../../src/contract/webhook.js';
import { type ApiWorld, apiWorld, newId } from '../api-world.js';
import { refusedAttempt } from '../attempt-row.js';
import { deliveryRow } from '../delivery-row.js';

const run = promisify(execFile);
const GUIDE = new URL('../../../../../docs/mcp.md', import.meta.url);
/** Next to this file, so that its imports resolve. */
const SCRIPT = fileURLToPath(new URL('./example-of-the-guide.mjs', import.meta.url));

describe('example in docs/mcp.md', () => {
  let world: ApiWorld;
  before(async () => {
    world = await apiWorld();
    const [, example = ''] = /```js\n(.+?)```/s.exec(await readFile(GUIDE, 'utf8')) ?? [];
    await writeFile(SCRIPT, example);
  });
  after(async () => {
    await rm(SCRIPT, { force: true });
    await world?.destroy();
  });

  it('reports why an endpoint fails, and replays to its new URL', async () => {
    const { request } = await world.as(['admin']);
    const hook = { url: 'https://hooks.example.com/postrider', eventTypes: ['billing.plan_changed'] };
    const { body } = await request<Webhook>('/webhooks', { body: hook });
    const deliveryId = await aFailedDelivery(body.id, 'failed_permanent', aLastAttempt({ httpStatus: 404 }));
    expect(await example(['read'])).to.deep.equal([`${body.id} ${hook.url}: 404, http_status`]);
    const url = 'https://hooks.example.com/v2/postrider';
    const repaired = await example(['read', 'webhook:update', 'replay_job:create'], body.id, url);
    const { deliveries, endpoints } = world.database.collections;
    const replay = await deliveries.findOne({ replayedFrom: deliveryId });
    expect(replay).to.include({ status: 'pending', class: 'replay' });
    expect(repaired).to.have.length(1);
    expect(repaired[0]).to.match(/^rpl_\w+ succeeded: 1 of 1 deliveries are sent again$/);
    expect(await endpoints.findOne({ _id: body.id })).to.have.property('url', url);
  });

  for (const [what, status, lastAttempt, reason] of [
    ['the status of a receiver that answered', 'dead_lettered', aLastAttempt(), '503, http_status'],
    [
      'only the reason of an attempt without a response',
      'dead_lettered',
      aLastAttempt({ httpStatus: null, failureReason: 'timeout' }),
      'timeout',
    ],
    ['only the reason of a delivery without an attempt', 'failed_permanent', null, 'http_status'],
  ] as const) {
    it(`reports ${what}`, async () => {
      const { request } = await world.as(['admin']);
      const hook = {
        url: `https://hooks.example.com/${encodeURIComponent(reason)}`,
        eventTypes: ['billing.plan_changed'],
      };
      const { body } = await request<Webhook>('/webhooks', { body: hook });
      await aFailedDelivery(body.id, status, lastAttempt);
      expect(await example(['read'])).to.include(`${body.id} ${body.url}: ${reason}`);
    });
  }

  it('reports endpoints beyond the first page of the list', async () => {
    const { endpoints } = world.database.collections;
    const { request } = await world.as(['admin']);
    const failing = async (name: string) => {
      const url = `https://hooks.example.com/${name}`;
      const { body } = await request<Webhook>('/webhooks', {
        body: { url, eventTypes: ['billing.plan_changed'] },
      });
      await aFailedDelivery(body.id, 'dead_lettered', aLastAttempt());
      return body.id;
    };
    const first = await failing('first');
    const row = await endpoints.findOne({ _id: first });
    await endpoints.insertMany(Array.from({ length: 50 }, () => ({ ...row!, _id: newId('endpoint') })));
    const last = await failing('last');
    const reported = (await example(['read'])).map((line) => line.split(' ')[0]);
    expect(reported).to.include.members([first, last]);
  });

  async function example(scopes: Scope[], ...args: string[]): Promise<string[]> {
    const { secret, origin } = await world.as(scopes);
    const env = { ...process.env, POSTRIDER_URL: origin, POSTRIDER_TOKEN: secret };
    const { stdout } = await run(process.execPath, [SCRIPT, ...args], { env });
    return stdout.trim().split('\n');
  }

  async function aFailedDelivery(
    endpointId: string,
    status: 'failed_permanent' | 'dead_lettered',
    lastAttempt: LastAttempt | null,
  ): Promise<string> {
    const { deliveries, attempts } = world.database.collections;
    const workspaceId = world.workspace.id;
    const row = deliveryRow({ workspaceId, endpointId, status });
    await deliveries.insertOne(toDeliveryDocument({ ...row, lastAttempt } as Delivery));
    // The last record of a dead letter is no attempt.
    const record = { ...refusedAttempt({ deliveryId: row.id, workspaceId, endpointId }), httpStatus: null };
    await attempts.insertOne(
      toAttemptDocument({ ...record, status, failureReason: row.failureReason } as Attempt),
    );
    return row.id;
  }
});
