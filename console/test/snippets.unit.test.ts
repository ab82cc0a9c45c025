import { spawnSync } from 'node:child_process';
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

const NOW = new Date();
const STALE = new Date(NOW.getTime() - 600_000);
/** Headers, body, and whether the code is to accept them. */
const CASES = [
  [signedHeaders(NOW), BODY, true],
  [signedHeaders(NOW), `${BODY}\n`, false],
  [signedHeaders(STALE), BODY, false],
] as const;

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
    it(`accepts genuine deliveries and refuses changed and old ones in ${language}`, function () {
      const input = JSON.stringify(CASES.map(([headers, body]) => [headers, body]));
      const env = { ...process.env, WEBHOOK_SECRET: SECRET };
      const { error, stdout, stderr } = spawnSync(command, [...args(code), input], { env, encoding: 'utf8' });
      // The language is not installed.
      if (error !== undefined) this.skip();
      expect(stderr).to.equal('');
      expect(stdout.trim().split('\n')).to.deep.equal(CASES.map(([, , isAccepted]) => String(isAccepted)));
    });
  }
});
