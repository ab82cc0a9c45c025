import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { newKey, signatures, signingKey } from '@postrider/shared/domain/signing';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type System, startSystem } from '../system.js';
import { runCli, startCli } from './run-cli.js';

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

  it('shows what a portal link may use, and its endpoints', async () => {
    const { id } = await json('endpoints', 'create', `${system.receiver.url}/of-link`, '--event-types', TYPE);
    const body = { endpointIds: [id], scopes: ['webhook:list', 'webhook:create'] };
    const link = await system.client.call<{ token: string }>('POST', '/portal-links', body);
    const { out } = await runCli(['whoami'], { POSTRIDER_URL: url, POSTRIDER_TOKEN: link.token });
    expect(out).to.match(new RegExp(`\nmay webhook:list\nlimited to the endpoints ${id}\n$`));
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
    expect((await run([...selection, '--dry-run'])).out).to.include('1 delivery matches');
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
    const noType = await run(['catalogue', 'show', 'nope']);
    expect(noType.code).to.equal(4);
    expect(noType.err).to.match(/^EventTypeNotFound: .*\n.*`postrider catalogue list`/);
    expect(noType.err).not.to.include('list_event_types');
    expect((await run(['catalogue', 'list'])).out).to.include(`${TYPE}\tbuilt-in`);
  });

  it('sets, shows and resets the options of an endpoint', async () => {
    const [headers, filter] = [join(folder, 'gateway'), join(folder, 'filter.json')];
    await writeFile(headers, 'authorization: Bearer of-my-gateway\n');
    await writeFile(filter, '{"plan": ["team"]}');
    const endpoint = await json(
      ...['endpoints', 'create', `${system.receiver.url}/options`, '--event-types', TYPE],
      ...['--headers', headers, '--filter', filter, '--rate', '20', '--signing', 'ed25519'],
      ...['--metadata', 'customer=42', '--metadata', 'tier=a=b', '--recovery', 'probe'],
    );
    expect(endpoint).to.deep.include({
      headerNames: ['authorization'],
      filter: { plan: ['team'] },
      ratePerSecond: 20,
      signing: 'ed25519',
      metadata: { customer: '42', tier: 'a=b' },
      recovery: 'probe',
    });
    const shown = await run(['endpoints', 'get', endpoint.id]);
    expect(shown.out).to.match(/filter +\{"plan":\["team"\]\}\n.*headers +authorization\n/);
    expect(shown.out).not.to.include('of-my-gateway');
    const changed = await json('endpoints', 'update', endpoint.id, '--reset', 'filter,rate', '--rate', '5');
    expect(changed).to.deep.include({ filter: null, ratePerSecond: 5, headerNames: ['authorization'] });
    expect((await run(['endpoints', 'update', endpoint.id, '--reset', 'url'])).code).to.equal(2);
    expect((await run(['endpoints', 'update', endpoint.id, '--signing', 'rsa'])).code).to.equal(2);
    await run(['endpoints', 'delete', endpoint.id]);
  });

  it('explains what became of an event', async () => {
    const endpoint = await json('endpoints', 'create', `${system.receiver.url}/why`, '--event-types', TYPE);
    await system.client.call('PUT', '/billing/plan', { plan: 'team' });
    const { eventId, deliveryId } = await eventually(async () => {
      const { out } = await run(['--json', 'deliveries', '--endpoint', endpoint.id]);
      expect(out).not.to.equal('');
      return JSON.parse(out);
    }, 20_000);
    const explained = await run(['events', 'explain', eventId]);
    expect(explained.out).to.match(new RegExp(`^${endpoint.id}\t\\w+\t${deliveryId}\t`, 'm'));
    expect((await run(['events', 'explain', 'evt_0'])).code).to.be.oneOf([1, 4]);
    const counted = await run(['stats', '--endpoint', endpoint.id, '--since', '1h']);
    expect(counted.out).to.match(/^(?:[\dTZ:.-]+(?:\t[\d.–]+){9}\n)+$/);
    expect((await run(['stats', '--step', 'minute'])).code).to.equal(2);
  });

  it('follows deliveries as they happen', async () => {
    const endpoint = await json('endpoints', 'create', `${system.receiver.url}/live`, '--event-types', TYPE);
    const child = startCli(['--json', 'deliveries', '--follow', '--endpoint', endpoint.id], {
      XDG_CONFIG_HOME: folder,
    });
    const changes: { change: string; deliveryId: string; endpointId: string }[] = [];
    createInterface(child.stdout).on('line', (line) => changes.push(JSON.parse(line)));
    try {
      // The stream begins when it is connected.
      await eventually(async () => {
        await json('endpoints', 'test', endpoint.id);
        expect(changes.map(({ change }) => change)).to.include('delivery.ended');
      }, 20_000);
    } finally {
      child.kill();
    }
    expect(new Set(changes.map(({ endpointId }) => endpointId))).to.deep.equal(new Set([endpoint.id]));
    expect((await run(['deliveries', '--follow', '--since', '1h'])).code).to.equal(2);
  });

  it('verifies with a public key, and says which key a signature needs', async () => {
    const key = newKey('ed25519', Buffer.alloc(32, 6));
    const body = '{"a": 1}';
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = signatures({ id: 'whd_1', timestamp, body }, [signingKey(key.secret)]);
    const headers = { 'webhook-id': 'whd_1', 'webhook-timestamp': timestamp, 'webhook-signature': signature };
    const [headersFile, bodyFile] = [join(folder, 'headers'), join(folder, 'body')];
    await writeFile(headersFile, JSON.stringify(headers));
    await writeFile(bodyFile, body);
    const verify = (secret: string) =>
      run(['verify', '--secret', secret, '--headers', headersFile, '--body', bodyFile]);
    expect(await verify(`${key.publicKey}`)).to.include({ code: 0, out: 'The signature is valid.\n' });
    const other = await verify(`whsec_${Buffer.alloc(32, 5).toString('base64')}`);
    expect(other.code).to.equal(6);
    expect(other.out).to.include('publicKey');
    expect((await run(['verify', '--headers', join(folder, 'none'), '--body', bodyFile])).code).to.equal(2);
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
    expect(changed.out).to.include('does not match');
  });
});
