import { expect } from 'chai';
import { newId } from '../api-world.js';
import { hasBrowser } from '../browser.js';
import { storedDelivery } from '../delivery-row.js';
import { closeDialog } from './close-dialog.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { createEndpoint } from './create-endpoint.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const HELD = 3;
/** At one in a second the replay runs for longer than the test. */
const SLOW_ROWS = 60;
/** Longer than the console waits where a person waits for one response. */
const LIMITED = { status: 429, headers: { 'retry-after': '6' }, body: '' };

describe('console: replays', () => {
  let world: ConsoleWorld;
  let endpointId: string;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    endpointId = await newEndpoint('https://hooks.example.com/replays');
    for (const status of ['failed_permanent', 'failed_permanent', 'dead_lettered', 'delivered'] as const) {
      await storedDelivery(world, { endpointId, status });
    }
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const newEndpoint = (url: string) => createEndpoint(world, { url });

  it('counts a described set, shows examples, and replays it after a confirmation', async () => {
    const { page } = world;
    await world.openAs(['write'], `/deliveries?endpointId=${endpointId}&status=failed_permanent`);
    await page.getByRole('link', { name: 'Replay this set' }).click();
    expect(await page.getByLabel('Endpoint id').inputValue()).to.equal(endpointId);
    await page.getByText('Retries exhausted', { exact: true }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await page.getByRole('status').getByText('3 deliveries match').waitFor();
    await page.getByText('This is the number of matches.').waitFor();
    await page.getByRole('link', { name: 'Show all matches' }).waitFor();
    await page.getByRole('button', { name: 'Replay 3 matching deliveries' }).click();
    await page.getByText('3 of 3').waitFor();
    await page.getByText('Finished').first().waitFor();
    await expectAccessible(page);
  });

  it('takes over several reasons and times with seconds, and offers no job that would replay more', async () => {
    const { page } = world;
    const times = 'createdAfter=2026-03-01T09:30:05.000Z&createdBefore=2026-03-01T10:00:59.123Z';
    await world.openAs(['write'], `/deliveries?failureReason=timeout,dns&${times}`);
    await page.getByRole('link', { name: 'Replay this set' }).click();
    expect(await page.getByLabel('Reason').inputValue()).to.equal('timeout,dns');
    const request = page.waitForRequest('**/replay-jobs');
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await request;
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByRole('link', { name: 'Replay this set' }).waitFor();
    await page.getByText('More filters').click();
    await page.getByLabel('Response status').fill('500');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('link', { name: 'Replay this set' }).waitFor({ state: 'detached' });
  });

  // Regression: the page of the job listed ten reasons.
  it('names the choice of all reasons of the last attempt as the choice does', async () => {
    const { page } = world;
    const name = 'Any reason of the last attempt';
    await world.openAs(['write'], `/replays/new?endpointId=${endpointId}`);
    await page.getByLabel('Reason').selectOption({ label: name });
    const response = page.waitForResponse('**/replay-jobs');
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    const { jobId } = await (await response).json();
    await world.show(`/replays/${jobId}`);
    await page.getByText(name, { exact: true }).waitFor();
  });

  it('reports what was skipped, and lists the jobs', async () => {
    const { page } = world;
    await world.openAs(['write'], `/replays/new?endpointId=${endpointId}`);
    await page.getByText('Include deliveries that were replayed').click();
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await page.getByText('3 deliveries match').waitFor();
    await page.getByRole('link', { name: 'Replays' }).click();
    await page.getByText('Count only').first().waitFor();
    await expectAccessible(page);
    await page.getByRole('row', { name: 'Count only' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Count only' }).waitFor();
  });

  it('follows the jobs in the list until they have ended', async () => {
    const { page } = world;
    const slowId = await newEndpoint('https://hooks.example.com/followed');
    for (let n = 0; n < SLOW_ROWS; n++)
      await storedDelivery(world, { endpointId: slowId, status: 'dead_lettered' });
    const admin = await world.as(['admin']);
    const createdAfter = new Date(Date.now() - 3_600_000).toISOString();
    const body = { endpointId: slowId, createdAfter, ratePerSecond: 1 };
    const { body: job } = await admin.request<{ jobId: string }>('/webhooks/replay-jobs', { body });
    await world.openAs(['write'], '/replays');
    const row = page.getByRole('row', { name: 'Running' });
    await row.waitFor();
    await admin.request(`/webhooks/replay-jobs/${job.jobId}/cancel`, { method: 'POST' });
    await row.waitFor({ state: 'detached' });
    await page.getByRole('row', { name: 'Cancelled' }).first().waitFor();
  });

  it('shows how many would be sent and skipped as soon as a count has it', async () => {
    const { page } = world;
    await page.route('**/replay-jobs/rpl_*', async (route) => {
      const response = await route.fetch();
      const job = await response.json();
      const skipped = { ...job.skipped, alreadyReplayed: 1, endpointDisabled: 1 };
      await route.fulfill({ response, json: { ...job, skipped } });
    });
    await world.openAs(['write'], `/replays/new?endpointId=${endpointId}`);
    await page.getByText('Include deliveries that were replayed').click();
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await page.getByText('1 would be sent, 2 skipped.').waitFor();
    await page.getByText('Skipped: the endpoint is disabled').waitFor();
    await page.getByRole('button', { name: 'Replay 1 delivery' }).waitFor();
    await expectAccessible(page);
    await page.unroute('**/replay-jobs/rpl_*');
  });

  // Regression: a count that ended early showed that no deliveries match.
  for (const [verb, status, sentence] of [
    ['was', 'cancelled', 'The count was cancelled before it ended.'],
    ['has', 'failed', 'The count was stopped by an error.'],
  ] as const)
    it(`shows that a count ${verb} ${status}, and counts again`, async () => {
      const { page } = world;
      const pattern = '**/replay-jobs/rpl_*';
      await page.route(pattern, async (route) => {
        const response = await route.fetch();
        const ended = { status, matched: 0, endedAt: new Date().toISOString() };
        await route.fulfill({ response, json: { ...(await response.json()), ...ended } });
      });
      const count = async () => {
        await page.getByText('Include deliveries that were replayed').click();
        const started = page.waitForResponse('**/replay-jobs');
        await page.getByRole('button', { name: 'Count the deliveries' }).click();
        await page.getByText(sentence).waitFor();
        return (await (await started).json()).jobId;
      };
      await world.openAs(['write'], `/replays/new?endpointId=${endpointId}`);
      const jobId = await count();
      expect(await page.getByText('deliveries match').count()).to.equal(0);
      await expectAccessible(page);
      await world.show(`/replays/${jobId}`);
      await page.getByRole('region', { name: 'Progress' }).waitFor();
      expect(await page.getByText('deliveries match').count()).to.equal(0);
      await world.show(`/replays/new?endpointId=${endpointId}`);
      await count();
      await page.unroute(pattern);
      await page.getByRole('button', { name: 'Count again' }).click();
      await page.getByText('3 deliveries match').waitFor();
    });

  it('shows a replay while it runs, and cancels it', async () => {
    const { page } = world;
    const slowId = await newEndpoint('https://hooks.example.com/slow-replay');
    for (let n = 0; n < SLOW_ROWS; n++) {
      await storedDelivery(world, { endpointId: slowId, status: 'dead_lettered' });
    }
    await world.openAs(['write'], `/replays/new?endpointId=${slowId}`);
    await page.getByLabel('Replays per second').fill('1');
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await page.getByRole('button', { name: `Replay ${SLOW_ROWS} matching deliveries` }).click();
    await page.getByRole('region', { name: 'Progress' }).getByText('Running').first().waitFor();
    await page.getByText(new RegExp(`^[1-9]\\d* of ${SLOW_ROWS}$`)).waitFor();
    await expectAccessible(page);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: world.origin });
    await page.getByRole('button', { name: 'Copy the id' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(copied).to.match(/^rpl_/);
    expect(page.url()).to.include(copied);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled').first().waitFor();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
  });

  it("shows the api's objection to a period", async () => {
    const { page } = world;
    await world.openAs(['write'], '/replays/new');
    await page.getByLabel('Created within').selectOption('custom');
    await page.getByRole('button', { name: 'Count the deliveries' }).click();
    await page.getByRole('alert').waitFor();
  });

  it('replays selected rows and counts the refusals by reason', async () => {
    const { page } = world;
    const disabledId = await newEndpoint('https://hooks.example.com/disabled');
    const refused = await storedDelivery(world, { endpointId: disabledId, status: 'dead_lettered' });
    const accepted = await storedDelivery(world, { endpointId, status: 'dead_lettered' });
    const admin = await world.as(['admin']);
    await admin.request(`/webhooks/${disabledId}`, { method: 'PATCH', body: { enabled: false } });
    await world.openAs(['write'], '/deliveries');
    await page.getByLabel(`Select ${refused.id}`).check();
    await page.getByLabel(`Select ${accepted.id}`).check();
    await page.getByRole('button', { name: 'Replay 2 selected' }).click();
    await page.getByRole('dialog').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Replay 2 deliveries' }).click();
    await page.getByText('Not replayed: The endpoint is disabled. Enable it first.').waitFor();
    await page.getByText('All selected deliveries have been processed.').waitFor();
    await expectAccessible(page);
  });

  /** Opens the list and selects three deliveries that can be replayed. They are in the order of their ids, as they are replayed. */
  async function selectThree() {
    const { page } = world;
    const rows = [];
    for (let n = 0; n < 3; n++)
      rows.push(await storedDelivery(world, { endpointId, status: 'dead_lettered' }));
    await world.openAs(['write'], '/deliveries');
    for (const { id } of rows) await page.getByLabel(`Select ${id}`).check();
    return rows.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  it('waits for the limit of requests, skips what has expired, and cannot be started twice', async () => {
    const { page } = world;
    const rows = await selectThree();
    const [first, second] = rows;
    await world.database.collections.deliveries.deleteOne({ _id: first!.id });
    let limited = 0;
    await page.route(`**/${second!.id}/replay`, (route) => {
      limited++;
      return limited > 1 ? route.continue() : route.fulfill(LIMITED);
    });
    await page.getByRole('button', { name: 'Replay 3 selected' }).click();
    await page.getByRole('button', { name: 'Replay 3 deliveries' }).click();
    await page.getByText('The server is not accepting more requests right now.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    expect(await page.getByRole('dialog').getByRole('button').count()).to.equal(0);
    await page.getByText('1 of 3').waitFor();
    await page.getByText('All selected deliveries have been processed.').waitFor();
    await page.getByText('Not replayed: There is no such delivery').waitFor();
    expect(limited).to.equal(2);
    await closeDialog(page);
    const { deliveries } = world.database.collections;
    const replays = await deliveries.countDocuments({ replayedFrom: { $in: rows.map(({ id }) => id) } });
    expect(replays).to.equal(2);
  });

  it('keeps selected what it did not replay after an error', async () => {
    const { page } = world;
    const rows = await selectThree();
    await page.route(`**/${rows[1]!.id}/replay`, (route) => route.fulfill({ status: 403, body: '' }));
    await page.getByRole('button', { name: 'Replay 3 selected' }).click();
    await page.getByRole('button', { name: 'Replay 3 deliveries' }).click();
    await page.getByRole('dialog').getByRole('alert').waitFor();
    await closeDialog(page);
    await page.getByRole('button', { name: 'Replay 2 selected' }).waitFor();
  });

  it('enables an endpoint and replays what was held for it', async () => {
    const { page } = world;
    const heldId = await newEndpoint('https://hooks.example.com/held');
    const admin = await world.as(['admin']);
    await admin.request(`/webhooks/${heldId}`, { method: 'PATCH', body: { enabled: false } });
    const { endpoints, deliveries } = world.database.collections;
    const endpoint = await endpoints.findOne({ _id: heldId });
    const since = endpoint?.disabledAt ?? new Date();
    for (let n = 0; n < HELD; n++) {
      const { id } = await storedDelivery(world, { endpointId: heldId, status: 'failed_permanent' });
      await deliveries.updateOne(
        { _id: id },
        { $set: { failureReason: 'endpoint_disabled', heldSince: since } },
      );
    }
    await endpoints.updateOne({ _id: heldId }, { $set: { holding: { since, rows: HELD, missed: 0 } } });
    await world.openAs(['write'], `/endpoints/${heldId}`);
    await page.getByText('3 deliveries wait until the endpoint is enabled.').waitFor();
    await expectAccessible(page);
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Replay 3 deliveries' });
    // Regression: a token that may not read jobs was led to a page that it may not see.
    const narrow = await world.as(['webhook:list']);
    const { body: enabled } = await narrow.request<object>(`/webhooks/${heldId}`);
    await page.route(`**/webhooks/${heldId}`, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ json: { ...enabled, replayJobId: newId('replayJob') } })
        : route.continue(),
    );
    await world.openAs(['webhook:list', 'webhook:update'], `/endpoints/${heldId}`);
    await page.getByRole('button', { name: 'Enable and replay' }).click();
    await confirm.click();
    await confirm.waitFor({ state: 'detached' });
    expect(page.url()).to.match(new RegExp(`#/endpoints/${heldId}$`));
    await page.unroute(`**/webhooks/${heldId}`);
    await world.openAs(['write'], `/endpoints/${heldId}`);
    await page.getByRole('button', { name: 'Enable and replay' }).click();
    await confirm.click();
    await page.getByText('3 of 3').waitFor();
    await page.getByText('its job waits up to ten minutes for late deliveries').waitFor();
    expect(await page.getByText('per second, at most').count()).to.equal(0);
    await expectAccessible(page);
  });
});
