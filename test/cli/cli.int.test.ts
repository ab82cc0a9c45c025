import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type System, startSystem } from '../system.js';
import { runCli } from './run-cli.js';

const TYPE = 'billing.plan_changed';

describe('postrider command line', () => {
  let system: System;
  let folder: string;
  let url: string;
  before(async () => {
    [system, folder] = await Promise.all([startSystem(), mkdtemp(join(tmpdir(), 'postrider-cli-'))]);
    url = `http://127.0.0.1:${system.services('api')[0]!.port}`;
  });
  after(async () => {
    await system?.stop();
    await rm(folder, { recursive: true });
  });

  /** Runs the program with the stored profile. */
  const run = (args: readonly string[], stdin = '') => runCli(args, { XDG_CONFIG_HOME: folder }, stdin);
  const json = async (...args: readonly string[]) => {
    const { out, err, code } = await run(['--json', ...args]);
    expect(code, err).to.equal(0);
    return JSON.parse(out);
  };

  it('signs in, creates an endpoint, tests it, shows the delivery and checks the receiver', async () => {
    expect((await run(['whoami'])).code).to.equal(3);
    const signedIn = await run(['login', '--url', url], system.token);
    expect(signedIn.out).to.include('workspace acme');
    expect(signedIn.out + signedIn.err).not.to.include(system.token);

    const endpoint = await json('endpoints', 'create', `${system.receiver.url}/cli`, '--event-types', TYPE);
    const secret = (await run(['endpoints', 'rotate-secret', endpoint.id])).out.trim();
    system.receiver.answer(({ body, headers }) => {
      try {
        new Webhook(secret).verify(body, headers as Record<string, string>);
        return { status: 200, body: 'thanks\u001b[2J' };
      } catch {
        return { status: 400 };
      }
    });
    const { deliveryId } = await json('endpoints', 'test', endpoint.id);
    await eventually(async () => expect((await json('delivery', deliveryId)).status).to.equal('delivered'));
    const timeline = await run(['delivery', deliveryId]);
    expect(timeline.out).to.match(/1\. \+0 s {2}delivered {2}HTTP 200, \d+ ms, 127\.0\.0\.1/);
    expect(timeline.out).not.to.include('\u001b');
    const listed = await run(['deliveries', '--endpoint', endpoint.id, '--since', '1h']);
    expect(listed.out.split('\t').slice(0, 1)).to.deep.equal([deliveryId]);

    const checked = await run(['endpoints', 'check', endpoint.id]);
    expect(checked).to.include({ code: 0, err: '' });
    expect(checked.out).to.include('The receiver conforms.');
    system.receiver.answer(() => ({ status: 200 }));
    const open = await run(['endpoints', 'check', endpoint.id]);
    expect(open.code).to.equal(6);
    expect(open.out).to.match(/failed {2}forged .*\n.*answer 400/);
  });

  it('replays failed deliveries by id and by a job', async () => {
    const endpoint = await json('endpoints', 'create', `${system.receiver.url}/gone`, '--event-types', TYPE);
    system.receiver.answer(() => ({ status: 404 }));
    const { deliveryId } = await json('endpoints', 'test', endpoint.id);
    await eventually(async () =>
      expect((await json('delivery', deliveryId)).status).to.equal('failed_permanent'),
    );
    system.receiver.answer(() => ({ status: 200 }));
    const selection = ['replay', '--failed', '--since', '1h', '--endpoint', endpoint.id];
    expect((await run([...selection, '--dry-run'])).out).to.include('1 deliveries match');
    expect(await json(...selection)).to.include({ status: 'succeeded', replayed: 1 });
    expect(await json('replay', deliveryId)).to.include({ replayedFrom: deliveryId });
    expect((await run(['replay'])).code).to.equal(2);
  });

  it('explains a refusal with its tag, cause and next step, and exits by its kind', async () => {
    const missing = await run(['endpoints', 'get', 'whe_0']);
    expect(missing).to.include({ code: 4, out: '' });
    expect(missing.err).to.match(/^EndpointNotFound: .*\n.*endpoints list.*\ntrace id [0-9a-f]{32}\n$/);
    const unsafe = await run(['endpoints', 'create', 'https://localhost/x', '--event-types', TYPE]);
    expect(unsafe.code).to.equal(1);
    expect(unsafe.err).to.include('InvalidWebhookUrl');
    expect((await run(['deliveries', '--since', 'soon'])).code).to.equal(2);
    expect((await run(['publish', TYPE, '--data', '-'], '{}')).err).to.include('ReservedEventType');
    expect((await run(['catalogue', 'list'])).out).to.include(`${TYPE}\tbuilt-in`);
  });

  it('says why a signature is not valid', async () => {
    const secret = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;
    const [headersFile, bodyFile] = [join(folder, 'headers'), join(folder, 'body')];
    const body = '{"a": 1}';
    const now = new Date();
    const headers = {
      'webhook-id': 'whd_1',
      'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
      'webhook-signature': new Webhook(secret).sign('whd_1', now, body),
    };
    await writeFile(headersFile, JSON.stringify(headers));
    await writeFile(bodyFile, body);
    const args = ['verify', '--secret', secret, '--headers', headersFile, '--body', bodyFile];
    expect(await run(args)).to.include({ code: 0, out: 'The signature is valid.\n' });
    await writeFile(bodyFile, '{"a":2}');
    const changed = await run(args);
    expect(changed.code).to.equal(6);
    expect(changed.out).to.include('does not fit');
  });
});
