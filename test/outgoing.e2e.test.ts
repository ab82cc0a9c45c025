import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { programFile } from '#dev/programs/programs';
import type { Outgoing } from './note-outgoing.js';
import { type System, startSystem } from './system.js';

const run = promisify(execFile);
/** A name that does not exist. */
const NOWHERE = 'hooks.nowhere.invalid';
const PROGRAMS = ['api', 'dispatcher', 'dlq-consumer', 'janitor'] as const;

describe('outgoing connections', () => {
  const folder = mkdtempSync(join(tmpdir(), 'postrider-outgoing-'));
  const file = join(folder, 'outgoing');
  let system: System;
  before(async () => {
    const recorder = new URL('./note-outgoing.js', import.meta.url).href;
    system = await startSystem({
      NODE_OPTIONS: `--import=${recorder}`,
      OUTGOING_FILE: file,
      RETRY_STEP: '50ms',
    });
    await live();
  });
  after(async () => {
    await system?.stop();
    rmSync(folder, { recursive: true });
  });

  const outgoing = (program: (typeof PROGRAMS)[number], kind: Outgoing['kind']) => {
    const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
    const noted = lines.map((line) => JSON.parse(line) as Outgoing);
    const by = noted.filter((one) => one.kind === kind && one.program === programFile(program));
    return [...new Set(by.map(({ to }) => to))].toSorted();
  };
  /** The addresses that are configured: brokers, database, registry. */
  const configured = () => {
    const { KAFKA_BROKERS = '', MONGODB_URI = '', SCHEMA_REGISTRY_URL = '' } = system.env;
    return [...KAFKA_BROKERS.split(','), new URL(MONGODB_URI).host, new URL(SCHEMA_REGISTRY_URL).host];
  };
  const receiver = () => new URL(system.receiver.url).host;

  /** Causes every event that a service might report to the outside. */
  async function live() {
    system.receiver.answer(({ path }) => ({ status: path === '/works' ? 200 : 500 }));
    const open = (url: string) =>
      system.client.call<{ id: string }>('POST', '/webhooks', { url, eventTypes: ['billing.plan_changed'] });
    await open(`${system.receiver.url}/works`);
    const { id } = await open(`${system.receiver.url}/breaks`);
    await open(`http://${NOWHERE}/hook`);
    await system.client.raw('POST', '/invitations', { email: 'guest@example.com', role: 'viewer' });
    await system.client.raw('PUT', '/billing/plan', { plan: 'team' });
    const [api] = system.services('api');
    for (const page of ['/reference', '/openapi.json', '/asyncapi.json'])
      await fetch(`http://127.0.0.1:${api!.port}${page}`);
    await eventually(async () => {
      const { body } = await system.client.raw('GET', `/webhooks/${id}/deliveries`);
      expect(JSON.stringify(body)).to.include('dead_lettered');
      expect(outgoing('dispatcher', 'name')).to.include(NOWHERE);
    }, 30_000);
    await run(process.execPath, [programFile('janitor')], { env: { ...process.env, ...system.env } });
  }

  for (const program of PROGRAMS) {
    it(`of ${program} go to configured addresses only${program === 'dispatcher' ? ', and to webhooks' : ''}`, () => {
      const seen = outgoing(program, 'connection');
      expect(seen).to.include(new URL(system.env.MONGODB_URI!).host);
      const allowed = program === 'dispatcher' ? [...configured(), receiver()] : configured();
      expect(allowed).to.include.members(seen);
    });

    it(`of ${program} resolve no other names and use no datagrams`, () => {
      const hosts = configured().map((address) => address.replace(/:\d+$/, ''));
      const allowed = program === 'dispatcher' ? [...hosts, NOWHERE] : hosts;
      expect(allowed).to.include.members(outgoing(program, 'name'));
      expect(outgoing(program, 'datagram')).to.deep.equal([]);
    });
  }

  it('of the dispatcher are recorded, including those to webhooks', () => {
    expect(outgoing('dispatcher', 'connection')).to.include(receiver());
  });
});
