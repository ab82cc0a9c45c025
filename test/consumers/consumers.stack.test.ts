import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createdOutcomes, endedOutcome } from '@postrider/shared/domain/delivery-outcome';
import { domainEvent } from '@postrider/shared/events/domain-event';
import { createOutcomePublisher } from '@postrider/shared/kafka/outcome-publisher';
import { connectPublisher } from '@postrider/shared/kafka/publisher';
import { createSchemaCodec } from '@postrider/shared/kafka/schema-registry';
import { eventRecord } from '@postrider/shared/outbox/record';
import { aDelivery, aTerminalDelivery, NOON } from '@postrider/shared/testing/builders';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { type Exit, type RunningProcess, startProcess } from '#dev/processes/start-process';
import { cacheDirectory } from '#dev/stack/native/cache';
import { KAFKA_VERSION } from '#dev/stack/native/versions';
import { ROOT } from '#dev/start/paths';
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

/**
 * Publishes events, one of them twice, with all headers and, as other services may, with `ce_type` and one that is no text alone,
 * and malformed messages before and between them.
 * @returns the line expected for each event
 */
async function publishEvents({ env, kafka, names }: TestWorld): Promise<string[]> {
  const codec = createSchemaCodec(env.SCHEMA_REGISTRY_URL!, env.TOPIC_PREFIX!);
  const publisher = await connectPublisher(kafka, names);
  const record = (id: string) => {
    const own = { previousPlan: 'free', plan: 'team' } as const;
    const workspace = { id: 'ws_1', slug: 'acme' };
    const event = domainEvent({ type: 'billing.plan_changed', id, workspace, occurredAt: new Date(), own });
    return eventRecord(event, '4bf92f3577b34da6a3ce929d0e0e4736');
  };
  const publish = async (id: string, names: readonly string[]) => {
    const { topic, key, headers, subject, value } = record(id);
    const sent = Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)));
    const withBytes = { ...sent, 'other-bytes': Buffer.from([0xff, 0xfe]) };
    await publisher.publish([{ topic, key, headers: withBytes, value: await codec.encode(subject!, value) }]);
  };
  const { topic, key, headers } = record('evt_malformed');
  const publishMalformed = async () => {
    const json = '{"eventId": "evt_malformed", "workspaceId": "ws_1"}';
    await publisher.publish([
      { topic, key, headers, value: Buffer.alloc(0) },
      { topic, key, headers: {}, value: Buffer.from('\0\0\0\0\x01{') },
      { topic, key, headers: {}, value: Buffer.from(`\0\0\0\0\x01${json}`) },
      { topic, key, headers: {}, value: Buffer.from('\0\0\0\0\x01null') },
    ]);
  };
  const all = Object.keys(headers);
  await publishMalformed();
  for (const id of ['evt_one', 'evt_one', 'evt_two']) await publish(id, all);
  await publishMalformed();
  for (const id of ['evt_three', 'evt_three', 'evt_four']) await publish(id, ['ce_type']);
  await publisher.close();
  return ['evt_one', 'evt_two', 'evt_three', 'evt_four'].map((id) => `billing.plan_changed ${id} ws_1`);
}

/** Publishes the outcomes of a delivery, the first of them twice, and returns the line expected for each. */
async function publishOutcomes({ env, kafka, names }: TestWorld): Promise<string[]> {
  const codec = createSchemaCodec(env.SCHEMA_REGISTRY_URL!, env.TOPIC_PREFIX!);
  const publisher = createOutcomePublisher({ kafka, names, codec });
  const row = aTerminalDelivery('delivered');
  const outcomes = [
    ...createdOutcomes([aDelivery()], NOON),
    endedOutcome({ delivery: row, eventId: 'evt_1', at: NOON }),
  ];
  await publisher.publish([...outcomes.slice(0, 1), ...outcomes]);
  await publisher.close();
  return outcomes.map(({ kind, id, value }) => `${kind} ${id} ${value.workspaceId}`);
}

const TOPICS = { 'workspace.events': publishEvents, 'webhook.outcomes': publishOutcomes } as const;

describe('the consumers in the guide to the events', () => {
  let world: TestWorld;
  const running: RunningProcess[] = [];
  const expected = new Map<string, readonly string[]>();
  before(async () => {
    world = await testWorld();
    for (const [topic, publish] of Object.entries(TOPICS)) expected.set(topic, await publish(world));
  });
  after(async () => {
    await Promise.all(running.map((child) => child.stop(0)));
    await world.destroy();
  });

  const cases = Object.keys(TOPICS).flatMap((topic) =>
    Object.entries(CONSUMERS).map(([file, find]) => ({ topic, file, find })),
  );
  for (const { topic, file, find } of cases) {
    it(`${file} prints every record of ${topic} once`, async function () {
      const command = await find();
      if (command === null) {
        console.log(`      skipped: the tool that runs ${file} is not installed`);
        return this.skip();
      }
      const env = { ...process.env, ...world.env, TOPIC: world.names.full(topic), GROUP: `${file}-${topic}` };
      const lines: string[] = [];
      let exit: Exit | undefined;
      const { program, args } = command;
      const onLine = (line: string) => void (/ (evt|whd)_/.test(line) ? lines.push(line) : console.log(line));
      const child = await startProcess({ command: program, args, cwd: PLACE, env, onLine });
      running.push(child);
      void child.exited.then((end) => {
        exit = end;
      });
      await eventually(() => {
        expect(exit, `${file} ended`).to.equal(undefined);
        expect(lines).to.have.members([...(expected.get(topic) ?? [])]);
      }, WITHIN_MS);
    });
  }
});
