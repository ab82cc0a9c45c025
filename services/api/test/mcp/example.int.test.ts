import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Scope } from '@postrider/shared/domain/permission';
import { toAttemptDocument, toDeliveryDocument } from '@postrider/shared/mongo/documents';
import { expect } from 'chai';
import type { Webhook } from '../../src/contract/webhook.js';
import { type ApiWorld, apiWorld } from '../api-world.js';
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
    const deliveryId = await aFailedDelivery(body.id);
    const example = async (scopes: Scope[], ...args: string[]) => {
      const { secret, origin } = await world.as(scopes);
      const env = { ...process.env, POSTRIDER_URL: origin, POSTRIDER_TOKEN: secret };
      const { stdout } = await run(process.execPath, [SCRIPT, ...args], { env });
      return stdout.trim().split('\n');
    };
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

  async function aFailedDelivery(endpointId: string): Promise<string> {
    const { deliveries, attempts } = world.database.collections;
    const workspaceId = world.workspace.id;
    const delivery = deliveryRow({ workspaceId, endpointId, status: 'failed_permanent' });
    await deliveries.insertOne(toDeliveryDocument(delivery));
    await attempts.insertOne(
      toAttemptDocument(refusedAttempt({ deliveryId: delivery.id, workspaceId, endpointId })),
    );
    return delivery.id;
  }
});
