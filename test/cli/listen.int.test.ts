import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { Webhook } from 'standardwebhooks';
import { type System, startSystem } from '../system.js';
import { startCli } from './run-cli.js';

const EVENTS = 40;

describe('postrider listen', () => {
  let system: System;
  let listener: ChildProcess | undefined;
  before(async () => {
    system = await startSystem();
  });
  after(async () => {
    listener?.kill();
    await system?.stop();
  });

  const create = (name: string) => system.client.call('POST', '/api-tokens', { name, scopes: ['read'] });

  it('forwards every event, signed, over a restart of the api', async () => {
    const port = String(system.services('api')[0]!.port);
    const child = startCli(
      ['--json', 'listen', '--forward', `${system.receiver.url}/local`, '--event-types', 'api_token.*'],
      { POSTRIDER_URL: `http://127.0.0.1:${port}`, POSTRIDER_TOKEN: system.token },
    );
    listener = child;
    const lines: Record<string, string>[] = [];
    createInterface(child.stdout).on('line', (line) => lines.push(JSON.parse(line)));
    const secret = await eventually(() => {
      expect(lines).not.to.be.empty;
      return lines[0]!.secret!;
    }, 20_000);
    const webhook = new Webhook(secret);
    const forwarded = () =>
      system.receiver.received
        .filter(({ path }) => path === '/local')
        .map(({ body, headers }) => webhook.verify(body, headers as Record<string, string>) as Forwarded);
    const names = () => new Set(forwarded().map(({ payload }) => payload.name));

    // The stream begins when it is connected.
    let tries = 0;
    await eventually(async () => {
      await create(`first-${tries++}`);
      expect(names().size).to.be.greaterThan(0);
    }, 20_000);

    const wanted = Array.from({ length: EVENTS }, (_, n) => `event-${n}`);
    await Promise.all(wanted.slice(0, EVENTS / 2).map(create));
    await system.stopService('api');
    await system.start('api', { PORT: port });
    await Promise.all(wanted.slice(EVENTS / 2).map(create));
    await eventually(() => expect([...names()]).to.include.members(wanted), 30_000);

    const ids = forwarded().map(({ deliveryId }) => deliveryId);
    expect(ids).to.satisfy((all: string[]) => all.every((id) => id.startsWith('evt_')));
    expect(lines.slice(1).every((line) => Number(line.httpStatus) === 200)).to.equal(true);
  });
});

interface Forwarded {
  readonly deliveryId: string;
  readonly payload: { readonly name: string };
}
