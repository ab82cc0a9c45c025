import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';

const SERVICES = ['api', 'dispatcher', 'dlq-consumer', 'janitor'] as const;

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Runs a service until it ends by itself. */
async function run(service: string, env: Readonly<Record<string, string>>): Promise<Ended> {
  const main = fileURLToPath(new URL(`../../services/${service}/dist/src/main.js`, import.meta.url));
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = (await once(child, 'close')) as [number];
  return { code, output };
}

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

describe('a start that cannot succeed', () => {
  let world: TestWorld;
  before(async () => {
    world = await testWorld();
  });
  after(() => world?.destroy());

  for (const service of SERVICES) {
    it(`lists every mistake in the configuration of ${service} by its name`, async () => {
      const { code, output } = await run(service, {
        LOG_LEVEL: 'loud',
        KAFKA_BROKERS: 'kafka',
        START_TIMEOUT: 'soon',
      });
      expect(code).to.equal(1);
      for (const name of [
        'LOG_LEVEL',
        'KAFKA_BROKERS',
        'START_TIMEOUT',
        'MONGODB_URI',
        'SCHEMA_REGISTRY_URL',
      ]) {
        expect(output).to.match(new RegExp(`^ +${name}\\b`, 'm'));
      }
      expect(output).to.not.match(/^\s+at /m);
    });
  }

  for (const [variable, what, value] of [
    ['KAFKA_BROKERS', 'Kafka', (port: number) => `127.0.0.1:${port}`],
    [
      'MONGODB_URI',
      'MongoDB',
      (port: number) => `mongodb://127.0.0.1:${port}/x?serverSelectionTimeoutMS=300`,
    ],
    ['SCHEMA_REGISTRY_URL', 'schema registry', (port: number) => `http://127.0.0.1:${port}`],
  ] as const) {
    it(`waits for ${what}, says why, and gives up with that reason`, async () => {
      const unreachable = value(await closedPort());
      const { code, output } = await run('dispatcher', {
        ...world.env,
        START_TIMEOUT: '1s',
        [variable]: unreachable,
      });
      expect(code).to.equal(1);
      expect(output).to.match(new RegExp(`"event":"waiting".*"msg":"${what}; trying again`));
      expect(output).to.match(
        new RegExp(`"msg":"${what}: gave up after 1 s: .*(ECONNREFUSED|Connection|connect)`),
      );
    }).timeout(30_000);
  }

  it('says what to run when nothing was migrated', async () => {
    const env = { ...world.env, TOPIC_PREFIX: 'nothing-here.', START_TIMEOUT: '1s' };
    const { code, output } = await run('dlq-consumer', env);
    expect(code).to.equal(1);
    expect(output).to.match(/Kafka has no topic nothing-here\.workspace\.events.*run \\"admin migrate\\"/);
  });
});
