import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { Webhook } from '@postrider/client';
import { expect } from 'chai';
import { SNIPPETS } from '../src/first-steps/snippets.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const BODY = '{"eventType":"billing.plan_changed","note":"é 👍"}';

/** A delivery as it is signed during a rotation: the second signature is of another secret. */
function signedHeaders(at: Date) {
  const signature = new Webhook(SECRET).sign('whd_1', at, BODY);
  return {
    'webhook-id': 'whd_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': `v1,AAAA ${signature}`,
  };
}

function without(name: keyof ReturnType<typeof signedHeaders>) {
  const { [name]: _, ...rest } = signedHeaders(NOW);
  return rest;
}

const NOW = new Date();
const STALE = new Date(NOW.getTime() - 600_000);
/** Headers, body, and whether the code is to accept them. */
const CASES = [
  [signedHeaders(NOW), BODY, true],
  [signedHeaders(NOW), `${BODY}\n`, false],
  [signedHeaders(STALE), BODY, false],
  [{}, BODY, false],
  ...(['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const).map(
    (name) => [without(name), BODY, false] as const,
  ),
  ...['', 'noon', '1e9', 'NaN', '9'.repeat(400)].map(
    (timestamp) => [{ ...signedHeaders(NOW), 'webhook-timestamp': timestamp }, BODY, false] as const,
  ),
  [{ ...signedHeaders(NOW), 'webhook-signature': 'v1,é' }, BODY, false],
] as const;

/** Signed with the key that a missing secret would be. */
function forgedHeaders() {
  const [id, timestamp] = ['whd_1', String(Math.floor(NOW.getTime() / 1000))];
  const signature = createHmac('sha256', '').update(`${id}.${timestamp}.${BODY}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const COMMANDS = {
  TypeScript: {
    command: process.execPath,
    args: (code: string) => ['--input-type=module-typescript', '--eval', code],
    code: `${SNIPPETS.TypeScript}\nfor (const [h, b] of JSON.parse(process.argv[1] ?? '')) console.log(isGenuine(h, b));`,
  },
  Python: {
    command: 'python3',
    args: (code: string) => ['-c', code],
    code: `${SNIPPETS.Python}\n\nimport json, sys\nfor h, b in json.loads(sys.argv[1]):\n    print(str(is_genuine(h, b.encode())).lower())`,
  },
} as const;

describe('code of the first steps', () => {
  for (const [language, { command, args, code }] of Object.entries(COMMANDS)) {
    const run = (cases: readonly (readonly [object, string])[], secret: Readonly<Record<string, string>>) => {
      const { WEBHOOK_SECRET: _, ...rest } = process.env;
      const env = { ...rest, ...secret };
      return spawnSync(command, [...args(code), JSON.stringify(cases)], { env, encoding: 'utf8' });
    };

    it(`accepts genuine deliveries and refuses changed, old and malformed ones in ${language}`, function () {
      const cases = CASES.map(([headers, body]) => [headers, body] as const);
      const { error, stdout, stderr } = run(cases, { WEBHOOK_SECRET: SECRET });
      // The language is not installed.
      if (error !== undefined) this.skip();
      expect(stderr).to.equal('');
      expect(stdout.trim().split('\n')).to.deep.equal(CASES.map(([, , isAccepted]) => String(isAccepted)));
    });

    it(`does not start without a secret in ${language}`, function () {
      for (const secret of [{}, { WEBHOOK_SECRET: '' }, { WEBHOOK_SECRET: 'whsec_' }]) {
        const { error, status, stdout } = run([[forgedHeaders(), BODY]], secret);
        if (error !== undefined) this.skip();
        expect(stdout, JSON.stringify(secret)).to.equal('');
        expect(status, JSON.stringify(secret)).to.not.equal(0);
      }
    });
  }
});
