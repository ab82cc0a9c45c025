import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { domainEvent } from '@postrider/shared/events/domain-event';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { eventRecord } from '@postrider/shared/outbox/record';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { type Exit, type RunningProcess, startProcess } from '#dev/processes/start-process';
import { cacheDirectory } from '#dev/stack/native/cache';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import { ROOT } from '#dev/start/places';
import { pythonWith } from '../python/python-with.js';

const run = promisify(execFile);
const PLACE = join(ROOT, 'docs/consumers');
const KAFKA_PYTHON = 'kafka-python==3.0.12';
/** Java compiles first, on a busy machine. */
const WITHIN_MS = 90_000;

interface Command {
  readonly program: string;
  readonly args: readonly string[];
}

/** How each is run; null where its tool is not installed. */
const CONSUMERS: Readonly<Record<string, () => Promise<Command | null>>> = {
  'consumer.ts': async () => ({ program: process.execPath, args: ['--no-warnings', 'consumer.ts'] }),
  async 'Consumer.java'() {
    const libraries = join(cacheDirectory(process.env), `kafka-${KAFKA_VERSION}`, 'libs');
    const hasJava = await run('javac', ['-version']).then(
      () => true,
      () => false,
    );
    if (!hasJava || !existsSync(libraries)) return null;
    return { program: 'java', args: ['-cp', join(libraries, '*'), 'Consumer.java'] };
  },
  async 'consumer.py'() {
    const programs = await pythonWith(KAFKA_PYTHON).catch(() => null);
    return programs === null ? null : { program: join(programs, 'python'), args: ['consumer.py'] };
  },
};

/** Publishes two events, the first of them twice, and returns the line expected for each. */
async function publishTwo({ env, kafka, names }: TestWorld): Promise<string[]> {
  const codec = createSchemaCodec(env.SCHEMA_REGISTRY_URL!, env.TOPIC_PREFIX!);
  const publisher = await connectPublisher(kafka, names);
  const record = (id: string) => {
    const own = { previousPlan: 'free', plan: 'team' } as const;
    const workspace = { id: 'ws_1', slug: 'acme' };
    const event = domainEvent({ type: 'billing.plan_changed', id, workspace, occurredAt: new Date(), own });
    return eventRecord(event, '4bf92f3577b34da6a3ce929d0e0e4736');
  };
  for (const id of ['evt_one', 'evt_one', 'evt_two']) {
    const { topic, key, headers, subject, value } = record(id);
    await publisher.publish([{ topic, key, headers, value: await codec.encode(subject!, value) }]);
  }
  await publisher.close();
  return ['evt_one', 'evt_two'].map((id) => `billing.plan_changed ${id} ws_1`);
}

describe('the consumers in the guide to the events', () => {
  let world: TestWorld;
  let expected: string[];
  const running: RunningProcess[] = [];
  before(async () => {
    world = await testWorld();
    expected = await publishTwo(world);
  });
  after(async () => {
    await Promise.all(running.map((child) => child.stop(0)));
    await world.destroy();
  });

  for (const [file, find] of Object.entries(CONSUMERS)) {
    it(`${file} prints every event once`, async function () {
      const command = await find();
      if (command === null) {
        console.log(`      skipped: the tool that runs ${file} is not installed`);
        return this.skip();
      }
      const env = { ...process.env, ...world.env, TOPIC: world.names.full('workspace.events'), GROUP: file };
      const lines: string[] = [];
      let exit: Exit | undefined;
      const { program, args } = command;
      const onLine = (line: string) => void (line.includes(' evt_') ? lines.push(line) : console.log(line));
      const child = await startProcess({ command: program, args, cwd: PLACE, env, onLine });
      running.push(child);
      void child.exited.then((end) => {
        exit = end;
      });
      await eventually(() => {
        expect(exit, `${file} ended`).to.equal(undefined);
        expect(lines).to.have.members(expected);
      }, WITHIN_MS);
    });
  }
});
