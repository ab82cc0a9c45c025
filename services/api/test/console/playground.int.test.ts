import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { hasBrowser } from '../browser.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"eventType":"billing.plan_changed","payload":{"plan":"team"}}';

describe('console: signature check', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    await world.openAs(['read'], '/signature-check');
    const at = new Date();
    await world.page.getByLabel('Signing secret').fill(SECRET);
    await world.page
      .getByLabel('Received headers')
      .fill(
        `webhook-id: whd_1\nWebhook-Timestamp: ${Math.floor(at.getTime() / 1000)}\nwebhook-signature: ${new Webhook(SECRET).sign('whd_1', at, BODY)}`,
      );
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const check = async (body: string) => {
    await world.page.getByLabel('Received body').fill(body);
    await world.page.getByRole('button', { name: 'Check' }).click();
  };

  it('accepts a valid signature without sending anything', async () => {
    const requests: string[] = [];
    world.page.on('request', (request) => requests.push(request.url()));
    await check(BODY);
    await world.page.getByText('The signature is valid.').waitFor();
    expect(requests).to.deep.equal([]);
    await expectAccessible(world.page);
  });

  it('recognises a body that was parsed and written again', async () => {
    await check(JSON.stringify(JSON.parse(BODY), null, 2));
    await world.page.getByText('The body was parsed and written again').waitFor();
    await expectAccessible(world.page);
  });
});
