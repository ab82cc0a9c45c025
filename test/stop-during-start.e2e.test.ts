import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { type LogLine, type ServiceName, startService } from '#dev/processes/start-service';

/** Less than a service waits for anything that does not answer. */
const AT_ONCE_MS = 2_000;

describe('a service that gets a SIGTERM while it starts', () => {
  let world: TestWorld;
  before(async () => {
    world = await testWorld();
  });
  after(() => world?.destroy());

  /** Sends SIGTERM at the first line that matches. @returns how the process ended, and how long that took */
  const stopAt = async (
    name: ServiceName,
    env: Readonly<Record<string, string>>,
    matches: (entry: LogLine) => boolean,
  ) => {
    const stoppedAt = Promise.withResolvers<number>();
    const events: (string | undefined)[] = [];
    const { signal, exited } = await startService({
      name,
      env: { PATH: process.env.PATH, ...world.env, ...env },
      onLine(_line, entry) {
        events.push(entry?.event);
        if (entry !== null && matches(entry)) stoppedAt.resolve(performance.now());
      },
    });
    const from = await stoppedAt.promise;
    signal('SIGTERM');
    const { code } = await exited;
    return { code, last: events.at(-1), ms: performance.now() - from };
  };

  for (const service of ['dispatcher', 'all'] as const) {
    for (const [variable, value] of [
      ['KAFKA_BROKERS', (port: number) => `127.0.0.1:${port}`],
      ['MONGODB_URI', (port: number) => `mongodb://127.0.0.1:${port}/x?serverSelectionTimeoutMS=300`],
      ['SCHEMA_REGISTRY_URL', (port: number) => `http://127.0.0.1:${port}`],
    ] as const) {
      it(`exits at once if it is ${service} and waits for ${variable}`, async () => {
        const [closedPort = 0] = await chooseFreePorts([undefined]);
        const env = { [variable]: value(closedPort) };
        const ended = await stopAt(service, env, ({ event }) => event === 'waiting');
        expect(ended).to.include({ code: 0, last: 'stopped' });
        expect(ended.ms).to.be.below(AT_ONCE_MS);
      }).timeout(30_000);
    }
  }

  // Regression: the process exited without leaving, and its partitions waited for the end of its session.
  it('leaves the group that it has joined, before it has joined the other one', async () => {
    const group = world.names.full('dispatcher');
    const joined = ({ event, groupId }: LogLine) => event === 'consumer.joined' && groupId === group;
    const ended = await stopAt('dispatcher', {}, joined);
    expect(ended).to.include({ code: 0, last: 'stopped' });
    const admin = world.kafka.admin();
    await admin.connect();
    const { groups } = await admin.describeGroups([group, world.names.full('fan-out')]);
    await admin.disconnect();
    expect(groups.map(({ members }) => members.length)).to.deep.equal([0, 0]);
  }).timeout(60_000);
});
