import { connectPublisher, type Publisher } from '@postrider/shared/kafka/publisher';
import { createQuarantine } from '@postrider/shared/kafka/quarantine';
import { readRecord } from '@postrider/shared/kafka/read-record';
import { frame } from '@postrider/shared/kafka/wire-format';
import { DELIVERIES_TOPIC, EVENTS_TOPIC, QUARANTINE_TOPIC } from '@postrider/shared/ports/topics';
import { eventually } from '@postrider/shared/testing/eventually';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { type TopicReader, topicReader } from '@postrider/shared/testing/topic-reader';
import { expect } from 'chai';
import { runCommand } from './run-command.js';

const HOUR_MS = 3_600_000;
/** Larger than what a broker accepts at once by default. */
const MANY = 6;
const LARGE = 300 * 1_024;

describe('publishing events again', () => {
  let world: TestWorld;
  let publisher: Publisher;
  let events: TopicReader;
  before(async () => {
    world = await testWorld();
    publisher = await connectPublisher(world.kafka, world.names);
    events = await topicReader(world, EVENTS_TOPIC);
  });
  after(async () => {
    await Promise.all([events?.stop(), publisher?.close()]);
    await world?.destroy();
  });

  const run = (...args: string[]) => runCommand(args, world.env);
  const republish = (...args: string[]) => run('quarantine', 'republish', ...args);
  const message = (eventId: string, { type = 'order.placed', workspaceId = 'ws_1', padding = '' } = {}) => ({
    key: Buffer.from(workspaceId),
    value: frame(7, JSON.stringify({ eventId, workspaceId, padding })),
    headers: { ce_type: Buffer.from(type), twice: [Buffer.from('one'), Buffer.from([0xff])] },
  });
  /** Puts a message into quarantine, as if it had been read from a topic. */
  const quarantine = (one: ReturnType<typeof message>, topic = EVENTS_TOPIC, offset = 7) =>
    createQuarantine(publisher.publish, world.log)(
      readRecord(topic, { partition: 1, offset, timestamp: 0, ...one }),
      'no such\ntype',
    );
  const sent = (eventId: string) => events.records.filter(({ value }) => value?.includes(`"${eventId}"`));

  it('publishes quarantined events as they were, each once, and nothing of other topics', async () => {
    await quarantine(message('evt_a'));
    await quarantine(message('evt_a'), EVENTS_TOPIC, 8);
    await quarantine(message('evt_queued'), DELIVERIES_TOPIC);
    const dry = await republish('--dry-run');
    expect(dry.out).to.equal('evt_a order.placed ws_1 1/7 no such type');
    expect(dry.err).to.include('1 event would be published again');

    const { code, out, err } = await republish();
    expect([code, out]).to.deep.equal([0, dry.out]);
    expect(err).to.include('1 event was published again');
    await quarantine(message('evt_b'));
    expect((await republish('--type', 'order.placed')).out.split('\n')).to.have.length(2);
    await eventually(() => expect(sent('evt_b')).to.have.length(1));
    expect(sent('evt_queued')).to.deep.equal([]);
    expect(sent('evt_a'), 'by the first command that is no dry run, and by the second').to.have.length(2);
    const { key, value, headers } = message('evt_a');
    expect(sent('evt_a')[0]).to.deep.include({ key, value, rawHeaders: headers });
  });

  it('selects by time, type and workspace', async () => {
    await world.database.collections.workspaces.insertOne({ _id: 'ws_9', slug: 'nine' } as never);
    await quarantine(message('evt_c', { type: 'order.paid' }));
    await quarantine(message('evt_d', { workspaceId: 'ws_9' }));
    const idsOf = async (...args: string[]) => {
      const { out } = await republish('--dry-run', ...args);
      return out === '' ? [] : out.split('\n').map((line) => line.split(' ')[0]);
    };
    expect(await idsOf('--type', 'order.paid')).to.deep.equal(['evt_c']);
    expect(await idsOf('--workspace', 'nine')).to.deep.equal(['evt_d']);
    expect(await idsOf('--workspace', 'nine', '--since', '1h')).to.deep.equal(['evt_d']);
    expect(await idsOf('--since', '0s')).to.deep.equal([]);
    expect(await idsOf('--since', new Date(Date.now() - HOUR_MS).toISOString())).to.include('evt_c');
    expect(await idsOf('--since', new Date(Date.now() + HOUR_MS).toISOString())).to.deep.equal([]);
  });

  it('publishes more than a broker accepts at once', async () => {
    const ids = Array.from({ length: MANY }, (_, index) => `evt_large${index}`);
    for (const id of ids) await quarantine(message(id, { type: 'order.large', padding: 'x'.repeat(LARGE) }));
    expect((await republish('--type', 'order.large')).code).to.equal(0);
    await eventually(() => expect(ids.map((id) => sent(id).length)).to.deep.equal(ids.map(() => 1)));
  });

  it('names messages whose value the quarantine does not have', async () => {
    const headers = { 'origin-topic': EVENTS_TOPIC, 'origin-partition': '1', 'origin-offset': '12' };
    const value = null;
    const leftOut = { ...headers, reason: 'no JSON', 'left-out': 'MESSAGE_TOO_LARGE' };
    await publisher.publish([{ topic: QUARANTINE_TOPIC, key: null, value, headers: leftOut }]);
    const { err, out } = await republish('--dry-run', '--type', 'order.paid');
    expect(err).to.include('1/12 was too large for the quarantine');
    expect(out.split('\n')).to.have.length(1);
  });

  it('publishes events that workspace.events still has', async () => {
    const { key, value, headers } = message('evt_skipped');
    await publisher.publish([{ topic: EVENTS_TOPIC, key, value, headers }]);
    await eventually(() => expect(sent('evt_skipped')).to.have.length(1));
    const { partition, offset } = sent('evt_skipped')[0]!;
    const place = ['--partition', `${partition}`, '--offset', `${offset}`];
    const { code, out } = await run('events', 'republish', ...place);
    expect([code, out]).to.deep.equal([0, `evt_skipped order.placed ws_1 ${partition}/${offset}`]);
    await eventually(() => expect(sent('evt_skipped')).to.have.length(2));
    expect(sent('evt_skipped')[1]).to.deep.include({ key, value, rawHeaders: headers });
    const beyond = await run('events', 'republish', ...place, '--count', '3');
    expect([beyond.code, beyond.err]).to.deep.equal([
      2,
      `error: partition ${partition} of workspace.events has the offsets 0 to ${offset + 1}`,
    ]);
    const unknown = await run('events', 'republish', '--partition', '9', '--offset', '0');
    expect(unknown.err).to.equal('error: workspace.events has no partition 9, only 0 to 1');
  });

  it('refuses options that it cannot read, with what they must be', async () => {
    for (const [args, what] of [
      [
        ['quarantine', 'republish', '--since', 'yesterday'],
        'must be a duration like 30m, 2h or 3d, or a date',
      ],
      [['quarantine', 'republish', '--type', 'Order'], 'must be the name of an event type'],
      [['quarantine', 'republish', '--workspace', 'missing'], 'there is no workspace "missing"'],
      [['events', 'republish', '--partition', '0'], "'--offset <number>' not specified"],
      [['events', 'republish', '--partition', '-1', '--offset', '0'], 'must be a whole number from 0 on'],
    ] as const) {
      const { code, err, out } = await run(...args);
      expect([code, out], what).to.deep.equal([2, '']);
      expect(err).to.include(what);
    }
  });
});
