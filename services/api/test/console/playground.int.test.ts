import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { hasBrowser } from '../browser.js';
import { type ConsoleWorld, expectAccessible } from './console-world.js';
import { sharedConsoleWorld } from './shared-console-world.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const PUBLIC_KEY = `whpk_${Buffer.alloc(32, 7).toString('base64')}`;
const BODY = '{"eventType":"billing.plan_changed","payload":{"plan":"team"}}';

/** A request as it was signed and received. What is left out is genuine. */
interface Received {
  readonly signedWith?: string;
  readonly signedBody?: string;
  readonly ageSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly secret?: string;
  readonly body?: string;
}

const PROBLEMS: readonly (readonly [string, Received, string | RegExp])[] = [
  ['another or a previous secret', { signedWith: OTHER_SECRET }, 'after a rotation the previous one'],
  ['an old timestamp', { ageSeconds: 600 }, /The timestamp is 6\d\d seconds old/],
  ['a timestamp ahead', { ageSeconds: -900 }, 'seconds in the future'],
  ['a missing header', { headers: { 'webhook-id': '' } }, 'The header webhook-id is missing'],
  ['an unknown kind of signature', { headers: { 'webhook-signature': 'v0,x' } }, 'starts with v1,'],
  ['a public key with signatures of a secret', { secret: PUBLIC_KEY }, 'starts with v1a,'],
  ['an unreadable timestamp', { headers: { 'webhook-timestamp': 'noon' } }, 'not a number of seconds'],
  ['an unreadable secret', { secret: 'whsec_?' }, 'The secret is not valid'],
  // Regression: the answer was that of a secret.
  ['an unreadable public key', { secret: 'whpk_AAAA' }, 'The public key is not valid'],
  [
    'a body that was parsed and written again',
    { body: JSON.stringify(JSON.parse(BODY), null, 2) },
    'The body was parsed and re-serialized',
  ],
  ['an added line break', { body: `${BODY}\n` }, 'Whitespace was added'],
  [
    'a wrong encoding',
    { signedBody: '{"name":"José"}', body: '{"name":"JosÃ©"}' },
    'wrong character encoding',
  ],
];

describe('console: signature check', () => {
  let world: ConsoleWorld;
  before(async function () {
    if (!hasBrowser) this.skip();
    world = await sharedConsoleWorld();
    await world.openAs(['read'], '/signature-check');
  });
  after(() => world?.destroy());
  afterEach(() => expect(world.problems).to.deep.equal([]));

  const check = async (received: Received) => {
    const { page } = world;
    await page.getByLabel('Signing secret').fill(received.secret ?? SECRET);
    await page.getByLabel('Received headers').fill(headersOf(received));
    await page.getByLabel('Received body').fill(received.body ?? BODY);
    await page.getByRole('button', { name: 'Check' }).click();
  };

  it('accepts a valid signature without sending anything', async () => {
    await check({});
    await world.page.getByText('The signature is valid.').waitFor();
    // The fonts are loaded.
    const requests: string[] = [];
    world.page.on('request', (request) => requests.push(request.url()));
    await check({});
    await world.page.getByText('The signature is valid.').waitFor();
    expect(requests).to.deep.equal([]);
    await expectAccessible(world.page);
  });

  // Regression: nothing happened, and the error was not handled.
  it('says that a browser cannot verify with a public key', async () => {
    const { page } = world;
    const refuse = "async () => { throw new DOMException('Unrecognized name.', 'NotSupportedError'); }";
    await page.evaluate(`{ crypto.subtle.importKey = ${refuse}; }`);
    await check({ secret: PUBLIC_KEY });
    await page.getByText('This browser cannot verify signatures with a public key.').waitFor();
    await page.evaluate('delete crypto.subtle.importKey');
  });

  for (const [problem, received, answer] of PROBLEMS)
    it(`recognises ${problem}`, async () => {
      await check(received);
      await world.page.getByText('The signature is not valid.').waitFor();
      await world.page.getByText(answer).waitFor();
      await expectAccessible(world.page);
    });
});

function headersOf({ signedWith = SECRET, signedBody = BODY, ageSeconds = 0, headers }: Received): string {
  const seconds = Math.floor(Date.now() / 1000) - ageSeconds;
  const received = new Headers({
    'webhook-id': 'whd_1',
    'Webhook-Timestamp': `${seconds}`,
    'webhook-signature': new Webhook(signedWith).sign('whd_1', new Date(seconds * 1000), signedBody),
  });
  for (const [name, value] of Object.entries(headers ?? {})) {
    if (value === '') received.delete(name);
    else received.set(name, value);
  }
  return [...received].map(([name, value]) => `${name}: ${value}`).join('\n');
}
