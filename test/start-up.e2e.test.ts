import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { SERVICES, type ServiceName, startService } from '#dev/processes/start-service';

interface Ended {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a service until it exits, with nothing else in its environment. */
async function run(name: ServiceName, env: Readonly<Record<string, string>>): Promise<Ended> {
  const lines: string[] = [];
  const onLine = (line: string) => lines.push(line);
  const { exited } = await startService({ name, env: { PATH: process.env.PATH, ...env }, onLine });
  const { code } = await exited;
  return { code, output: lines.join('\n') };
}

describe('a service that cannot start', () => {
  let world: TestWorld;
  before(async () => {
    world = await testWorld();
  });
  after(() => world?.destroy());

  for (const service of [...SERVICES, 'janitor'] as const) {
    it(`lists every invalid variable of ${service} by its name`, async () => {
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
    it(`waits for ${what}, logs why, and gives up with that reason`, async () => {
      const [closedPort = 0] = await chooseFreePorts([undefined]);
      const unreachable = value(closedPort);
      const { code, output } = await run('dispatcher', {
        ...world.env,
        // On a busy machine the first try may take a second.
        START_TIMEOUT: '3s',
        [variable]: unreachable,
      });
      expect(code).to.equal(1);
      expect(output).to.match(new RegExp(`"event":"waiting".*"msg":"${what}; trying again`));
      expect(output).to.match(
        new RegExp(`"msg":"${what}: gave up after 3 s: .*(ECONNREFUSED|Connection|connect)`),
      );
    }).timeout(30_000);
  }

  it('logs the command to run when nothing was migrated', async () => {
    const env = { ...world.env, TOPIC_PREFIX: 'nothing-here.', START_TIMEOUT: '1s' };
    const { code, output } = await run('dlq-consumer', env);
    expect(code).to.equal(1);
    expect(output).to.match(/Kafka has no topic nothing-here\.workspace\.events.*run \\"admin migrate\\"/);
  });
});
