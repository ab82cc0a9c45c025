import { expect } from 'chai';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const URL = 'https://hooks.example.com/in';

/** What the pages say about deliveries that were not accepted. */
describe('console: reasons of failures', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    const admin = await world.as(['admin']);
    const body = { url: URL, eventTypes: ['billing.plan_changed'] };
    endpointId = (await admin.request<{ id: string }>('/webhooks', { body })).body.id;
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const change = (id: string, facts: object) =>
    world.database.collections.deliveries.updateOne({ _id: id as never }, { $set: facts });

  /** Stands for the stream: messages as they come from it. */
  const streamed = (messages: readonly object[]) =>
    messages.map((data, n) => `id: ${n}\nevent: delivery.ended\ndata: ${JSON.stringify(data)}\n\n`).join('');

  it('call a held delivery held wherever it is shown', async () => {
    const { page } = world;
    const occurredAt = new Date().toISOString();
    const payload = { eventId: newId('event'), occurredAt };
    const { id } = await storedDelivery(world, { endpointId, status: 'failed_permanent', payload });
    await change(id, { failureReason: 'endpoint_disabled' });
    const data = { deliveryId: id, endpointId, eventId: payload.eventId, eventType: 'billing.plan_changed' };
    const outcome = { status: 'failed_permanent', attempts: 0, httpStatus: null, durationMs: null };
    const body = streamed([{ ...data, ...outcome, failureReason: 'endpoint_disabled', at: occurredAt }]);
    await page.route('**/stream*', (route) =>
      route.fulfill({ headers: { 'content-type': 'text/event-stream' }, body }),
    );
    await world.openAs(['read']);
    const live = page.getByRole('region', { name: 'Live', exact: true }).getByRole('listitem').first();
    await live.getByText('Held', { exact: true }).waitFor();
    await live.getByRole('link', { name: URL }).waitFor();
    await live.getByText('The endpoint was disabled.').waitFor();
    await page.unroute('**/stream*');
    await expectAccessible(page);
  });
});
