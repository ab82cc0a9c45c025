import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import getPort from 'get-port';
import { Webhook } from 'standardwebhooks';
import { answerBeforeEnd } from '../receivers/answer-before-end.js';

const FOLDER = fileURLToPath(new URL('../../../docs/receiving/node/', import.meta.url));
const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
/** What an event that is published over REST may have. */
const LARGE = 256 * 1_024;
const MIB = 1_024 * 1_024;

for (const file of ['bare.mjs', 'express.mjs']) {
  describe(`the sample receiver ${file}`, () => {
    let sample: ChildProcess;
    let port: number;

    const post = async (padding: number) => {
      const payload = { text: 'x'.repeat(padding) };
      const body = JSON.stringify({ deliveryId: 'whd_1', eventType: 'pizza.ordered', payload });
      const now = new Date();
      const headers = {
        'content-type': 'application/json',
        'webhook-id': 'whd_1',
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': new Webhook(SECRET).sign('whd_1', now, body),
      };
      return (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', headers, body })).status;
    };

    before(async () => {
      port = await getPort();
      const env = { ...process.env, WEBHOOK_SECRET: SECRET, PORT: String(port), INBOX: ':memory:' };
      sample = spawn(process.execPath, [file], { cwd: FOLDER, env, stdio: ['ignore', 'pipe', 'ignore'] });
      await once(sample.stdout!, 'data');
    });
    after(() => sample.kill());

    it('accepts the largest event that can be published over REST', async () => {
      expect(await post(LARGE)).to.equal(204);
    });

    it('refuses a body of more than 1 MiB', async () => {
      expect(await post(MIB)).to.equal(413);
      expect(await post(10)).to.equal(204);
    });

    // Regression: bodies of any size were kept in memory before they were verified. Express keeps none either, but reads a body
    // to its end.
    if (file === 'bare.mjs')
      it('answers 413 before the end of a body that is too large', async () => {
        expect(await answerBeforeEnd(port)).to.equal(413);
      }).timeout(10_000);

    it('survives a request that is aborted', async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      const head =
        'POST /hook HTTP/1.1\r\nhost: localhost\r\nexpect: 100-continue\r\ncontent-length: 100\r\n\r\n';
      socket.write(head);
      await once(socket, 'data'); // The receiver reads the body now.
      socket.destroy();
      expect(await post(10)).to.equal(204);
      expect(sample.exitCode).to.equal(null);
    });
  });
}
