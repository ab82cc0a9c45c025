import { execFile } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { newKey, SECRET_BYTES, signatures, signingKey } from '@postrider/shared/domain/signing';
import { expect } from 'chai';
import { ROOT } from '#dev/start/paths';
import { cachedInstall } from '../cached-install.js';
import { pythonWith } from '../python/python-with.js';
import type { Command } from './producers.js';

const run = promisify(execFile);
const PLACE = join(ROOT, 'test/consumers/signatures');
const GO_PACKAGE = 'github.com/standard-webhooks/standard-webhooks/libraries@v0.0.1';
const PYTHON_PACKAGES = ['standardwebhooks==1.1.0', 'cryptography==48.0.0'];

/** How the verification of each language is run; null where its tool is not installed. */
const LANGUAGES: Readonly<Record<string, () => Promise<Command | null>>> = {
  async Python() {
    const programs = await pythonWith(...PYTHON_PACKAGES).catch(() => null);
    return programs === null ? null : { program: join(programs, 'python'), args: ['verify.py'], cwd: PLACE };
  },
  async Go() {
    const hasGo = await run('go', ['version']).then(
      () => true,
      () => false,
    );
    if (!hasGo) return null;
    const cwd = await cachedInstall(`go-${GO_PACKAGE}`, async (place, install) => {
      await install('go', 'mod', 'init', 'signatures');
      copyFileSync(join(PLACE, 'verify.go'), join(place, 'verify.go'));
      await install('go', 'get', GO_PACKAGE);
      await install('go', 'mod', 'tidy');
    });
    copyFileSync(join(PLACE, 'verify.go'), join(cwd, 'verify.go'));
    return { program: 'go', args: ['run', '.'], cwd };
  },
};

/** A request that is signed by both kinds and, as after a rotation, by a new and a previous key pair, the new one first. */
function signedRequest() {
  const hmac = newKey('hmac-sha256', Buffer.alloc(SECRET_BYTES, 1));
  const newPair = newKey('ed25519', Buffer.alloc(SECRET_BYTES, 2));
  const previousPair = newKey('ed25519', Buffer.alloc(SECRET_BYTES, 3));
  const id = 'whd_01krzmb7g0q5w9n2x4c8v1j6th';
  const timestamp = Math.floor(Date.now() / 1_000);
  const body = JSON.stringify({
    deliveryId: id,
    eventType: 'invoice.paid',
    payload: { customer: 'Jürgen ✓' },
  });
  const signature = signatures(
    { id, timestamp, body },
    [newPair, previousPair, hmac].map(({ secret }) => signingKey(secret)),
  );
  const headers = { 'webhook-id': id, 'webhook-timestamp': `${timestamp}`, 'webhook-signature': signature };
  const { publicKey } = newPair;
  return { request: { secret: hmac.secret, publicKey, headers, body }, previousKey: previousPair.publicKey };
}

/** @returns what the program prints for a request */
async function verdictOf({ program, args, cwd }: Command, request: object): Promise<string> {
  const running = run(program, [...args], { cwd });
  running.child.stdin?.end(JSON.stringify(request));
  return running.then(
    ({ stdout }) => stdout.trim(),
    () => 'refused',
  );
}

describe('signatures in other languages', () => {
  for (const [language, find] of Object.entries(LANGUAGES)) {
    it(`are verified in ${language}, of both kinds and of both keys after a rotation, and refused after a change of the body`, async function () {
      const command = await find();
      if (command === null) {
        console.log(`      skipped: the tools of ${language} are not installed`);
        return this.skip();
      }
      const { request, previousKey } = signedRequest();
      expect(await verdictOf(command, request)).to.equal('verified');
      expect(await verdictOf(command, { ...request, publicKey: previousKey })).to.equal('verified');
      expect(await verdictOf(command, { ...request, body: `${request.body} ` })).to.equal('refused');
      const other = newKey('ed25519', Buffer.alloc(SECRET_BYTES, 4));
      expect(await verdictOf(command, { ...request, publicKey: other.publicKey })).to.equal('refused');
    });
  }
});
