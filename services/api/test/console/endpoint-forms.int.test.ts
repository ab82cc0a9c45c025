import {
  addResult,
  EXPECTED,
  PROBES,
  type Probe,
  type ProbeResult,
} from '@postrider/shared/domain/conformance-check';
import { fromCheckDocument } from '@postrider/shared/mongo/conformance-check-documents';
import { eventually } from '@postrider/shared/testing/eventually';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import type { Webhook } from '../../src/contract/webhook.js';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { closeDialog } from './close-dialog.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const FRAMES = 30;
/** How often React continues its work in so many frames. */
const TASKS_OF_FRAMES = `(async () => {
  const { prototype } = MessagePort;
  const { postMessage } = prototype;
  let tasks = 0;
  prototype.postMessage = function (...message) {
    tasks++;
    return postMessage.apply(this, message);
  };
  for (let n = 0; n < ${FRAMES}; n++) await new Promise(requestAnimationFrame);
  prototype.postMessage = postMessage;
  return tasks;
})()`;

/** Keeps the body of each PATCH, which a browser does not show from outside. */
const RECORD_CHANGES = `{
  const send = window.fetch;
  window.changes = [];
  window.fetch = async (request) => {
    if (request.method === 'PATCH') window.changes.push(await request.clone().json());
    return send(request);
  };
}`;

describe('console: endpoint forms and event types', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    world.catalogue.set([anEventType()]);
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  it("shows the api's objection at its field, guides to a receiver that verifies, and changes the endpoint", async () => {
    const { page } = world;
    await world.openAs(['write'], '/endpoints');
    await page.getByRole('link', { name: 'Create endpoint' }).click();
    await page.getByLabel('URL').fill('hooks.example.com/new');
    await page.getByText('billing.plan_changed').click();
    const submit = page.getByRole('button', { name: 'Create endpoint' });
    await page.getByText('is not an absolute URL').waitFor();
    expect(await submit.isDisabled()).to.equal(true);
    await page.getByLabel('URL').fill('https://localhost/x');
    await submit.click();
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.getByLabel('URL').fill('https://hooks.example.com/new');
    await page.getByLabel('Add a prefix').fill('invoice.*');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await submit.click();
    await page.getByRole('button', { name: 'Create the signing secret' }).click();
    await page.getByText(/^WEBHOOK_SECRET=whsec_/).waitFor();
    await page.getByLabel('Language').selectOption('Python');
    await page.getByText('def is_genuine').waitFor();
    await page.getByRole('button', { name: 'My receiver verifies signatures' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Pending').waitFor();
    await world.database.collections.deliveries.updateMany(
      { workspaceId: world.workspace.id, eventType: 'webhook.test_event' },
      { $set: { status: 'delivered' }, $unset: { dueAt: '' } },
    );
    await page.getByRole('button', { name: 'Check the receiver' }).waitFor();
    await eventually(async () =>
      expect(await page.evaluate<number>(TASKS_OF_FRAMES)).to.be.below(FRAMES / 2),
    );
    await page.getByRole('button', { name: 'Check the receiver' }).click();
    await page.getByText('Sending the requests…').waitFor();
    expect(await page.getByRole('button', { name: 'Check the receiver' }).isDisabled()).to.equal(true);
    await endCheck(world);
    await page.getByRole('status').getByText('The receiver does not pass').waitFor();
    expect(await page.getByRole('button', { name: 'Check the receiver' }).isDisabled()).to.equal(false);
    const probes = page.getByRole('listitem').filter({ hasText: /^(Failed|Passed)/ });
    expect(await probes.allTextContents()).to.satisfy((texts: string[]) => texts.length === PROBES.length);
    await probes.filter({ hasText: 'A forged signature' }).getByText('Compare the signature').waitFor();
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Open the endpoint' }).click();
    await page.getByText('billing.plan_changed, invoice.*').waitFor();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Description').fill('orders');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('orders').waitFor();
  });

  const newEndpoint = (url: string) => createEndpoint(world, { url, eventTypes: ['billing.*'] });
  const eventTypesOf = async (url: string) => {
    const admin = await world.as(['admin']);
    const { items } = (await admin.request<{ items: { url: string; eventTypes: string[] }[] }>('/webhooks'))
      .body;
    return items.find((endpoint) => endpoint.url === url)?.eventTypes;
  };

  it('takes prefixes that Enter adds, and one that was entered but not added', async () => {
    const { page } = world;
    const url = 'https://hooks.example.com/prefixes';
    await world.openAs(['write'], '/endpoints/new');
    await page.getByLabel('URL').fill(url);
    const prefix = page.getByLabel('Add a prefix');
    await prefix.fill('invoice.*');
    await prefix.press('Enter');
    await page.getByRole('checkbox', { name: 'invoice.*', checked: true }).waitFor();
    await prefix.fill('billing.*');
    // Regression: the choice was lost.
    const all = page.getByText('All event types, including future ones');
    await all.click();
    await prefix.waitFor({ state: 'detached' });
    await all.click();
    await page.getByRole('button', { name: 'Create endpoint' }).click();
    await page.getByRole('button', { name: 'Create the signing secret' }).waitFor();
    expect(await eventTypesOf(url)).to.have.members(['billing.*', 'invoice.*']);
  });

  // Regression: there seemed to be no event types.
  it('shows that the event types could not be read, and reads them again', async () => {
    const { page } = world;
    const pattern = '**/event-types**';
    await page.route(pattern, (route) => route.fulfill({ status: 400, body: '' }));
    await world.openAs(['write'], '/endpoints/new');
    await page.getByRole('alert').waitFor();
    await expectAccessible(page);
    await page.unroute(pattern);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('checkbox', { name: 'billing.plan_changed' }).waitFor();
    expect(await page.getByRole('alert').count()).to.equal(0);
  });

  it('saves a prefix that was entered but not added', async () => {
    const { page } = world;
    const url = 'https://hooks.example.com/another-prefix';
    await world.openAs(['write'], `/endpoints/${await newEndpoint(url)}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Add a prefix').fill('invoice.*');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await eventTypesOf(url)).to.have.members(['billing.*', 'invoice.*']);
  });

  it('changes nothing when nothing was edited, a missing description included', async () => {
    const { page } = world;
    const endpointId = await newEndpoint('https://hooks.example.com/no-description');
    await world.openAs(['write'], `/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { auditEvents, endpoints } = world.database.collections;
    const action = 'webhook_endpoint.updated';
    expect(await auditEvents.countDocuments({ action, 'target.id': endpointId })).to.equal(0);
    expect((await endpoints.findOne({ _id: endpointId }))?.description).to.equal(null);
  });

  // Regression: every field was sent as it was when the dialog opened, so what was changed elsewhere meanwhile was changed back.
  it('sends only what was edited, and keeps what was changed elsewhere meanwhile', async () => {
    const { page } = world;
    const endpointId = await newEndpoint('https://hooks.example.com/before');
    const admin = await world.as(['admin']);
    const address = `/webhooks/${endpointId}`;
    const elsewhere = { url: 'https://hooks.example.com/moved', filter: { plan: ['team'] } };
    await world.openAs(['write'], `/endpoints/${endpointId}`);
    await page.evaluate(RECORD_CHANGES);
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await admin.request(address, { method: 'PATCH', body: elsewhere });
    await dialog.getByLabel('Description').fill('orders');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Edit options' }).click();
    await admin.request(address, { method: 'PATCH', body: { filter: null, ratePerSecond: 7 } });
    await dialog.getByRole('button', { name: 'Add to metadata' }).click();
    await dialog.getByLabel('Name 1').fill('customer');
    await dialog.getByLabel('Value 1').fill('acme');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.evaluate('changes')).to.deep.equal([
      { description: 'orders' },
      { metadata: { customer: 'acme' } },
    ]);
    const { url, filter, ratePerSecond } = (await admin.request<Webhook>(address)).body;
    expect({ url, filter, ratePerSecond }).to.deep.equal({
      url: elsewhere.url,
      filter: null,
      ratePerSecond: 7,
    });
  });

  it('forgets the error of a change, and what was entered, when its dialog is closed', async () => {
    const { page } = world;
    await world.openAs(['admin'], `/endpoints/${await newEndpoint('https://hooks.example.com/errors')}`);
    const dialog = page.getByRole('dialog');
    await page.route('**/webhooks/whe_*', (route) =>
      route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 400, body: '' }),
    );
    for (const [opening, action, field, entered] of [
      ['Edit', 'Save', 'Description', 'orders'],
      ['Edit options', 'Save', 'Requests per second', '5'],
      ['Delete endpoint', 'Delete endpoint', 'to confirm', 'hooks.example.com'],
    ] as const) {
      await page.getByRole('button', { name: opening, exact: true }).click();
      const submit = dialog.getByRole('button', { name: action });
      await dialog.getByLabel(field).fill(entered);
      await submit.click();
      await dialog.getByRole('alert').waitFor();
      if (action === 'Save') {
        // Regression: it discarded what was entered.
        await page.keyboard.press('Escape');
        expect(await dialog.getByLabel(field).inputValue(), opening).to.equal(entered);
      }
      await closeDialog(page);
      await page.getByRole('button', { name: opening, exact: true }).click();
      await submit.waitFor();
      expect(await dialog.getByRole('alert').count(), opening).to.equal(0);
      expect(await dialog.getByLabel(field).inputValue(), opening).to.equal('');
      await closeDialog(page);
    }
    await page.unroute('**/webhooks/whe_*');
  });

  it('changes the options of an endpoint, shows which events a filter matches and objections at their fields', async () => {
    const { page } = world;
    const endpointId = await newEndpoint('https://hooks.example.com/options');
    for (const plan of ['team', 'free']) {
      const payload = { eventId: newId('event'), plan };
      await storedDelivery(world, { endpointId, status: 'delivered', payload });
    }
    await world.openAs(['write'], `/endpoints/${endpointId}`);
    await page.getByRole('button', { name: 'Edit options' }).click();
    const dialog = page.getByRole('dialog');
    const save = dialog.getByRole('button', { name: 'Save' });
    await dialog.getByLabel('Filter', { exact: true }).fill('{"plan": [{"above": 1}]}');
    await dialog.getByText('filter.plan[0].above is no condition').waitFor();
    expect(await save.isDisabled()).to.equal(true);
    await dialog.getByLabel('Filter', { exact: true }).fill('{"plan": ["team"]}');
    await dialog.getByText('1 of the 2 latest events of the subscribed types would be delivered.').waitFor();
    await dialog.getByRole('button', { name: 'Add to static headers' }).click();
    await dialog.getByLabel('Name 1').fill('host');
    await dialog.getByLabel('Value 1').fill('secret of the gateway');
    await dialog.getByLabel('Requests per second').fill('0');
    await save.click();
    await dialog.getByRole('group', { name: 'Static headers' }).getByText('headers.host').waitFor();
    await expectAccessible(page);
    await dialog.getByLabel('Name 1').fill('x-gateway');
    await dialog.getByLabel('Requests per second').fill('20');
    await dialog.getByLabel('Signature').selectOption('ed25519');
    await dialog.getByText('A new key pair is created when you save.').waitFor();
    await save.click();
    const options = page.getByRole('region', { name: 'Delivery options' });
    await options.getByText('x-gateway').waitFor();
    await options.getByText(/^whpk_/).waitFor();
    await options.getByText('At most 20').waitFor();
    await page.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('button', { name: 'Rotate secret' }).click();
    await dialog.getByRole('button', { name: 'Copy the public key' }).waitFor();
    await dialog.getByText('The previous key ends').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit options' }).click();
    await dialog.getByLabel('Signature').selectOption('hmac-sha256');
    // The response to the change has no secret: only a rotation shows one.
    await dialog.getByText('Rotate it afterwards to see it.').waitFor();
    await save.click();
    await dialog.waitFor({ state: 'detached' });
    await options.getByText('x-gateway').waitFor();
    await expectAccessible(page);
  });

  it('lists event types with their schema and an example', async () => {
    const { page } = world;
    await world.openAs(['read'], '/event-types');
    await page.getByRole('button', { name: 'Show the schema of billing.plan_changed' }).click();
    await page.getByRole('dialog').getByText('"previousPlan"').first().waitFor();
  });

  it('publishes a sample of a custom type, once it is an object that fits the schema', async () => {
    const { page } = world;
    await world.openAs(['write'], '/event-types');
    await page.getByRole('button', { name: 'Publish a sample of invoice.paid' }).click();
    const dialog = page.getByRole('dialog');
    const publish = dialog.getByRole('button', { name: 'Publish a sample' });
    await dialog.getByLabel('Fields of the event').fill('[1]');
    expect(await publish.isDisabled()).to.equal(true);
    await dialog.getByLabel('Fields of the event').fill('{"invoiceId": 1}');
    await publish.click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByLabel('Fields of the event').fill('{"invoiceId": "in_1", "amount": 5}');
    const published = new Set<string>();
    await page.route('**/events', async (route) => {
      published.add((await (await route.fetch()).json()).eventId);
      await route.abort('internetdisconnected');
    });
    await publish.click();
    await dialog.getByText('The server did not respond.').waitFor();
    await page.unroute('**/events');
    await publish.click();
    await dialog.getByText('The event was published.').waitFor();
    await expectAccessible(page);
    // Regression: repeated after its answer was lost, an event was published again.
    const shown = await dialog.getByRole('link').getAttribute('href');
    expect([...published].map((id) => shown?.endsWith(`eventId=${id}`))).to.deep.equal([true]);
  });
});

/** Grades the check as a dispatcher does that got 200 for each request. */
async function endCheck({ database: { collections }, workspace }: ConsoleWorld): Promise<void> {
  const started = await collections.conformanceChecks.findOne({ workspaceId: workspace.id });
  const answered = { httpStatus: 200, durationMs: 12 };
  const resultOf = (probe: Probe): ProbeResult => {
    const passed = EXPECTED[probe] === '2xx';
    const advice = passed ? null : 'Compare the signature before anything else.';
    return { probe, expected: EXPECTED[probe], got: answered, passed, advice };
  };
  const { status, results, endedAt } = PROBES.reduce(
    (check, probe) => addResult(check, resultOf(probe), new Date()),
    fromCheckDocument(started!),
  );
  await collections.conformanceChecks.updateOne(
    { _id: started!._id },
    { $set: { status, results, endedAt } },
  );
}
