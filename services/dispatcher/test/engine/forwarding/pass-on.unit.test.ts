import type { NextStep } from '@postrider/shared/domain/next-step';
import { NotAppended, type Queued } from '@postrider/shared/ports/queue';
import { DEAD_LETTER_TOPIC, retryTopic } from '@postrider/shared/ports/topics';
import { aDelivery, aMessage, anEndpoint, later, NOON } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import {
  createForwarder,
  type Forwarded,
  type RepublishedDeadLetter,
} from '../../../src/engine/forwarding/forwarder.js';
import { createPassOn, type Decided } from '../../../src/engine/forwarding/pass-on.js';
import type { Job } from '../../../src/engine/jobs/job.js';
import { aClock, aJob, aLog, deferred, settleDown } from '../builders.js';

/** Records the calls of the workload and the forwarder, in order. */
function aPassOn() {
  const calls: unknown[][] = [];
  const world = { broker: Promise.resolve(), isRejected: false };
  const workload = {
    finish: (job: Job) => calls.push(['finish', job.key]),
    wait: (job: Job, until: number) => calls.push(['wait', job.key, new Date(until)]),
    setAside: (job: Job, forMs: number) => calls.push(['set aside', job.key, forMs]),
    requeue: (job: Job) => calls.push(['admit', job.key]),
  };
  const forwarder = {
    async forward<One extends Forwarded>(all: readonly One[], onForwarded: (some: readonly One[]) => void) {
      if (all.length > 0) calls.push(['forward', all.map(({ queued }) => queued)]);
      await world.broker;
      onForwarded(all);
    },
    async forwardAgain<Letter extends RepublishedDeadLetter>(
      again: readonly Letter[],
      onForwarded: (some: readonly Letter[]) => void,
    ) {
      calls.push(['forwardAgain', again.map(({ queued, dueAgain }) => ({ queued, dueAgain }))]);
      if (world.isRejected) return again;
      onForwarded(again);
      return [];
    },
  };
  const putOff = (job: Job) => void calls.push(['put off', job.key]);
  const { passOn, passing } = createPassOn({ workload, forwarder, putOff, clock: aClock() });
  return Object.assign(world, { sendOn: passOn, passing, calls });
}

function decided(step: NextStep, job = aJob(), dueAt: Date | null = later(60_000)): Decided {
  return { job, step, situation: { delivery: aDelivery({ dueAt }), endpoint: anEndpoint() } };
}

const ordinal = (n: number) => aJob({ ordinal: n });
const { key } = aJob();

describe('passOn', () => {
  const cases: readonly [NextStep, readonly unknown[]][] = [
    [{ do: 'done' }, ['finish', key]],
    [{ do: 'wait', until: later(5_000) }, ['wait', key, later(5_000)]],
    [{ do: 'deliver', delivery: aDelivery(), endpoint: anEndpoint() }, ['admit', key]],
    [{ do: 'cancel' }, ['admit', key]],
  ];
  for (const [step, call] of cases) {
    it(`performs "${step.do}" and nothing else`, async () => {
      const { sendOn, calls } = aPassOn();
      await sendOn([decided(step)]);
      expect(calls).to.deep.equal([call]);
    });
  }

  it('publishes the next attempt with its due time to its tier and finishes the job afterwards', async () => {
    const { sendOn, calls } = aPassOn();
    await sendOn([decided({ do: 'retry', ordinal: 4, tier: 3 }, ordinal(3))]);
    expect(calls).to.deep.equal([
      ['forward', [{ topic: retryTopic(3), message: aMessage({ ordinal: 4, dueAt: later(60_000) }) }]],
      ['finish', ordinal(3).key],
    ]);
  });

  it('publishes a dead letter without the due time of its last attempt', async () => {
    const { sendOn, calls } = aPassOn();
    await sendOn([decided({ do: 'dead-letter' }, aJob({ ordinal: 7, dueAt: NOON }))]);
    expect(calls[0]).to.deep.equal([
      'forward',
      [{ topic: DEAD_LETTER_TOPIC, message: aMessage({ ordinal: 7 }) }],
    ]);
  });

  it('does not finish a job before its message is published', async () => {
    const world = aPassOn();
    const broker = deferred();
    world.broker = broker.promise;
    const sending = world.sendOn([
      decided({ do: 'retry', ordinal: 2, tier: 1 }),
      decided({ do: 'done' }, ordinal(5)),
    ]);
    expect(world.calls.map(([what]) => what)).to.deep.equal(['finish', 'forward']);
    broker.resolve();
    await sending;
    expect(world.calls.slice(2)).to.deep.equal([['finish', key]]);
  });

  it('publishes an exhausted delivery to the dead-letter topic', async () => {
    const { sendOn, calls } = aPassOn();
    await sendOn([decided({ do: 'dead-letter' }, ordinal(7))]);
    expect(calls).to.deep.equal([
      ['forward', [{ topic: DEAD_LETTER_TOPIC, message: aMessage({ ordinal: 7 }) }]],
      ['finish', ordinal(7).key],
    ]);
  });

  for (const [name, dueAt] of [
    ['is overdue', later(-1)],
    ['is due now', later(0)],
  ] as const) {
    it(`moves the due time of a dead letter whose row ${name} by a minute before sending it again`, async () => {
      const { sendOn, calls } = aPassOn();
      await sendOn([decided({ do: 'dead-letter' }, ordinal(7), dueAt)]);
      expect(calls).to.deep.equal([
        [
          'forwardAgain',
          [
            {
              queued: { topic: DEAD_LETTER_TOPIC, message: aMessage({ ordinal: 7 }) },
              dueAgain: later(60_000),
            },
          ],
        ],
        ['finish', ordinal(7).key],
      ]);
    });
  }

  it('keeps the job of a dead letter whose row rejects a new due time for a minute, however the clock is set', async () => {
    const world = aPassOn();
    world.isRejected = true;
    await world.sendOn([decided({ do: 'dead-letter' }, ordinal(7), later(-1))]);
    expect(world.calls.slice(1)).to.deep.equal([['set aside', ordinal(7).key, 60_000]]);
    expect(world.passing()).to.equal(0);
  });

  // Regression: it rejected, which ended the process, and the others of the batch were not passed on.
  it('puts off a job whose row cannot be used, and passes on the others', async () => {
    const { sendOn, calls } = aPassOn();
    await sendOn([
      decided({ do: 'retry', ordinal: 2, tier: 1 }, aJob({ deliveryId: 'a' })),
      decided({ do: 'wait', until: 'tomorrow' as never }, aJob({ deliveryId: 'b' })),
      decided({ do: 'done' }, aJob({ deliveryId: 'c' })),
    ]);
    expect(calls.map(([what, key]) => (what === 'forward' ? what : [what, key]))).to.deep.equal([
      ['put off', 'b'],
      ['finish', 'c'],
      'forward',
      ['finish', 'a'],
    ]);
  });

  // Regression: a retry that waited for a partition without a leader kept the repeated dead letters of its batch.
  it('publishes repeated dead letters while new messages wait', async () => {
    const world = aPassOn();
    const broker = deferred();
    world.broker = broker.promise;
    const sending = world.sendOn([
      decided({ do: 'retry', ordinal: 2, tier: 1 }),
      decided({ do: 'dead-letter' }, ordinal(7), later(-1)),
    ]);
    await settleDown();
    expect(world.calls.map(([what]) => what)).to.deep.equal(['forward', 'forwardAgain', 'finish']);
    broker.resolve();
    await sending;
    expect(world.calls.at(-1)).to.deep.equal(['finish', key]);
  });

  it('counts the jobs whose messages are being published', async () => {
    const world = aPassOn();
    const broker = deferred();
    world.broker = broker.promise;
    const sending = world.sendOn([
      decided({ do: 'retry', ordinal: 2, tier: 1 }),
      decided({ do: 'done' }, ordinal(5)),
    ]);
    expect(world.passing()).to.equal(1);
    broker.resolve();
    await sending;
    expect(world.passing()).to.equal(0);
  });

  it('forwards new messages together and repeated dead letters separately', async () => {
    const { sendOn, calls } = aPassOn();
    await sendOn([
      decided({ do: 'retry', ordinal: 2, tier: 1 }, aJob({ deliveryId: 'a' })),
      decided({ do: 'dead-letter' }, aJob({ deliveryId: 'b' })),
      decided({ do: 'dead-letter' }, aJob({ deliveryId: 'c' }), later(-1)),
      decided({ do: 'retry', ordinal: 2, tier: 1 }, aJob({ deliveryId: 'd' })),
    ]);
    const idsOf = (queued: readonly Queued[]) => queued.map(({ message }) => message.deliveryId);
    expect(calls.map(([what]) => what)).to.have.members([
      ...['forward', 'finish', 'finish', 'finish'],
      ...['forwardAgain', 'finish'],
    ]);
    expect(idsOf(calls[0]![1] as Queued[])).to.deep.equal(['a', 'b', 'd']);
    expect(idsOf((calls[1]![1] as RepublishedDeadLetter[]).map(({ queued }) => queued))).to.deep.equal(['c']);
  });
});

describe('passOn to a broker with a partition that has no leader', () => {
  const [PUBLISHED, WAITING] = [aJob({ deliveryId: 'published' }), aJob({ deliveryId: 'waiting' })];

  // Regression: a message that waited kept the jobs of all others in its batch, with their offsets.
  for (const [name, dueAt] of [
    ['first dead letters', later(60_000)],
    ['repeated dead letters', later(-1)],
  ] as const)
    it(`finishes the jobs of ${name} that are published while others wait`, async () => {
      const finished: string[] = [];
      const leader = deferred();
      let rounds = 0;
      const { passOn, passing } = createPassOn({
        workload: {
          finish: ({ key }) => void finished.push(key),
          wait: () => undefined,
          setAside: () => undefined,
          requeue: () => undefined,
        },
        forwarder: createForwarder({
          async enqueue() {
            rounds += 1;
            if (rounds === 1) throw new NotAppended(new Set([1]), { cause: new Error('no leader') });
            await leader.promise;
          },
          store: { moveDueTimes: async () => undefined },
          maxUnpublished: 10,
          isDatabaseAway: () => false,
          sleep: async () => undefined,
          monotonicMs: () => 0,
          log: aLog(),
        }),
        putOff: () => undefined,
        clock: aClock(),
      });
      const passed = passOn([PUBLISHED, WAITING].map((job) => decided({ do: 'dead-letter' }, job, dueAt)));
      await settleDown();
      expect(finished).to.deep.equal([PUBLISHED.key]);
      expect(passing()).to.equal(1);
      leader.resolve();
      await passed;
      expect(finished).to.deep.equal([PUBLISHED.key, WAITING.key]);
      expect(passing()).to.equal(0);
    });
});
