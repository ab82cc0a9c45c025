import { FIRST_LEVEL } from '@postrider/shared/domain/feature-level';
import type { Queued } from '@postrider/shared/ports/queue';
import { retryTopic } from '@postrider/shared/ports/topics';
import {
  aDelivery,
  aLastAttempt,
  aMessage,
  anAttemptObservation,
  anEndpoint,
  DELIVERY_ID,
  ENDPOINT_ID,
  idFor,
  later,
} from '@postrider/shared/testing/builders';
import { fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { countSettled } from '../../src/count-stats.js';
import { createEngine } from '../../src/engine/engine.js';
import type { EngineLimits } from '../../src/engine/engine-parts.js';
import type { Job } from '../../src/engine/jobs/job.js';
import type { SendAttempt, SentAttempt } from '../../src/engine/sending/send-attempt.js';
import { createGuardCore } from '../../src/guard/guard-core.js';
import { engineLimits } from '../../src/limits.js';
import { NO_GUARD, type SendingGuard } from '../../src/ports/guard.js';
import { SETTINGS } from '../guard/domains.js';
import {
  aClock,
  aLog,
  aSentAttempt,
  deferred,
  messages,
  settleDown,
  sourceAt,
  turnLimitsBy,
} from './builders.js';
import { LIMITS } from './simulation/simulate.js';
import { virtualTime } from './virtual-time.js';

const STEP_MS = 1_000;

/** A guard that has nothing to judge by until its time has passed. */
function aGuardThatWithholds(): SendingGuard {
  const core = createGuardCore({
    settings: SETTINGS,
    monotonicMs: () => 0,
    references: ['https://reference.example'],
    onActive: () => {},
    onState: () => {},
    onDiscarded: () => {},
  });
  return { ...NO_GUARD, ...core, decideNow: (matches) => core.decideNow(matches, []) };
}

const ATTEMPT_LIMIT_MS = 15_000;

describe('engine', () => {
  let time: ReturnType<typeof virtualTime>;
  let world: ReturnType<typeof anEngine>;
  beforeEach(() => {
    time = virtualTime();
    world = anEngine();
  });
  afterEach(() => {
    world.engine.close();
    time.restore();
  });

  /** An engine that owns partition 0, over one fresh row and its endpoint. */
  function anEngine({
    guard = NO_GUARD,
    limits = {},
  }: {
    guard?: SendingGuard;
    limits?: Partial<EngineLimits>;
  } = {}) {
    const clock = aClock();
    const log = aLog();
    const store = createInMemoryStores();
    store.deliveries.set(DELIVERY_ID, aDelivery());
    store.endpoints.set(ENDPOINT_ID, anEndpoint());
    const state = {
      attempted: [] as string[],
      overdue: [] as string[],
      queried: 0,
      /** Of every endpoint. */
      partition: 0,
      poisoned: 0,
      enqueued: [] as Queued[],
      isDatabaseAway: false,
      settling: store.settlements.settle,
      attempting: (_job: Job): ReturnType<SendAttempt> => Promise.resolve(aSentAttempt()),
    };
    const engine = createEngine({
      store: { ...store.settlements, settle: (...args) => state.settling(...args) },
      backlog: {
        due(...query) {
          state.queried += 1;
          return store.backlog.due(...query);
        },
        async *overdueEndpoints() {
          yield state.overdue;
        },
        workspacesOf: store.backlog.workspacesOf,
      },
      sendAttempt: (job) => {
        state.attempted.push(job.key);
        return state.attempting(job);
      },
      enqueue: async (queued) => void state.enqueued.push(...queued),
      guard,
      clock,
      monotonicMs: () => clock.now().getTime(),
      busy: () => 0,
      turnLimit: turnLimitsBy(() => clock.now().getTime()),
      partitionOf: () => state.partition,
      retryStepMs: STEP_MS,
      attemptLimitMs: ATTEMPT_LIMIT_MS,
      featureLevel: fixedFeatureLevel(FIRST_LEVEL),
      ownedUntil: () => null,
      isCutOff: () => false,
      isDatabaseAway: () => state.isDatabaseAway,
      createPacer: () => async () => {},
      onSettled: countSettled({ add: () => {} }),
      onPoisoned: () => {
        state.poisoned += 1;
      },
      limits: { ...LIMITS, ...limits },
      log,
    });
    engine.assign([0]);
    const pass = async (ms: number) => {
      clock.advance(ms);
      time.tick(ms);
      await settleDown();
    };
    return Object.assign(state, { engine, store, log, clock, pass });
  }

  const taken = (offset: number, topic?: string, message = aMessage()) => {
    return { ...sourceAt(offset, topic), message, appendedAt: world.clock.now().getTime() };
  };
  /** The database rejects each record of the usual delivery. */
  const rejectRecords = () => {
    const { settle } = world.store.settlements;
    world.settling = async (observations, decide) => {
      if (observations.some(({ deliveryId }) => deliveryId === DELIVERY_ID)) throw new Error('too large');
      return settle(observations, decide);
    };
  };
  const offsets = () => world.engine.positions().map(({ offset }) => offset);

  it('delivers accepted messages and moves its positions after they are settled', async () => {
    const attempting = deferred<SentAttempt>();
    world.attempting = () => attempting.promise;
    world.engine.accept(taken(5));
    await settleDown();
    expect(world.attempted).to.deep.equal([DELIVERY_ID]);
    expect(offsets()).to.deep.equal([5]);
    expect(world.engine.size()).to.equal(1);
    attempting.resolve(aSentAttempt());
    await settleDown();
    expect(world.store.deliveries.get(DELIVERY_ID)).to.include({ status: 'delivered', attempts: 1 });
    expect(offsets()).to.deep.equal([6]);
    expect(world.engine.size()).to.equal(0);
  });

  it('reports its jobs, offsets and partitions in its stats', async () => {
    const attempting = deferred<SentAttempt>();
    world.attempting = () => attempting.promise;
    world.engine.accept(taken(5));
    world.engine.accept(taken(3, retryTopic(1), aMessage({ deliveryId: 'another', ordinal: 2 })));
    await settleDown();
    expect(world.engine.figures()).to.deep.include({ inFlight: 1, jobs: 2, waiting: 1, unsettled: 0 });
    expect(world.engine.figures()).to.deep.include({ parked: 0, assigned: 1 });
    attempting.resolve(aSentAttempt());
    await settleDown();
    expect(world.engine.figures()).to.deep.include({ inFlight: 0, jobs: 1, waiting: 1, unsettled: 0 });
  });

  it('completes the offset of a message whose endpoint is in a partition of another process since it was sent', async () => {
    world.partition = 1;
    world.engine.accept(taken(5));
    world.engine.accept(taken(3, retryTopic(1)));
    await settleDown();
    expect(world.attempted).to.deep.equal([]);
    expect(world.engine.positions().map(({ offset }) => offset)).to.deep.equal([6, 4]);
  });

  it('is behind while attempts of 250 workspaces wait for nothing else, unless it is paused', async () => {
    world.engine.close();
    world = anEngine({
      limits: engineLimits({
        BATCH_SIZE: 100,
        MAX_CONCURRENCY: 4,
        MAX_IN_FLIGHT: 1_024,
        MAX_LINGERING: 4_096,
        MAX_JOBS: 4_096,
      }),
    });
    let offset = 0;
    /** Accepts a delivery of each of so many workspaces. */
    const accept = (count: number, round: string) => {
      for (let index = 0; index < count; index += 1) {
        const [workspaceId, endpointId] = [idFor('workspace', `${index}`), idFor('endpoint', `${index}`)];
        const id = idFor('delivery', `${round}${index}`);
        world.store.endpoints.set(endpointId, anEndpoint({ id: endpointId, workspaceId }));
        world.store.deliveries.set(id, aDelivery({ id, endpointId, workspaceId }));
        world.engine.accept(taken(offset, undefined, aMessage({ deliveryId: id, endpointId, workspaceId })));
        offset += 1;
      }
    };
    accept(250, 'first');
    await settleDown(50);
    expect(world.attempted).to.have.length(250);
    const { starts } = world.engine;
    accept(249, 'second');
    expect(starts.areBehind()).to.equal(false);
    await settleDown(50);
    accept(250, 'third');
    expect(starts.areBehind()).to.equal(true);
    world.engine.pause();
    expect(starts.areBehind()).to.equal(false);
    world.engine.resume();
    await settleDown(50);
    expect([starts.areBehind(), starts.count()]).to.deep.equal([false, 250 + 249 + 250]);
  });

  it('does not delay a retry because the clock of the broker is ahead', async () => {
    world.engine.accept({ ...taken(1, retryTopic(1)), appendedAt: world.clock.now().getTime() + 600_000 });
    await world.pass(STEP_MS);
    expect(world.attempted).to.deep.equal([DELIVERY_ID]);
  });

  it('delays a message until its due time, which passed before a step from its append', async () => {
    const dueAt = new Date(world.clock.now().getTime() + STEP_MS / 2);
    world.engine.accept(taken(1, retryTopic(1), aMessage({ dueAt })));
    await world.pass(STEP_MS / 2 - 1);
    expect(world.attempted).to.deep.equal([]);
    await world.pass(21);
    expect(world.attempted).to.deep.equal([DELIVERY_ID]);
  });

  it('does not delay a message beyond a step from its append', async () => {
    const dueAt = new Date(world.clock.now().getTime() + 10 * STEP_MS);
    world.engine.accept(taken(1, retryTopic(1), aMessage({ dueAt })));
    await world.pass(STEP_MS + 20);
    expect(world.attempted).to.deep.equal([DELIVERY_ID]);
  });

  for (const tier of [1, 6]) {
    it(`delays a message of tier ${tier} by ${tier} steps from its append time`, async () => {
      world.engine.accept(taken(1, retryTopic(tier)));
      await world.pass(tier * STEP_MS - 1);
      expect(world.attempted).to.deep.equal([]);
      await world.pass(21);
      expect(world.attempted).to.have.length(1);
    });
  }

  it('accepts neither duplicates nor messages of unassigned partitions', async () => {
    world.engine.accept(taken(1));
    await settleDown();
    world.store.deliveries.set(DELIVERY_ID, aDelivery());
    world.engine.accept(taken(1));
    world.engine.accept({ ...taken(2), partition: 1 });
    await settleDown();
    expect(world.attempted).to.have.length(1);
    expect(world.engine.positions()).to.have.length(1);
  });

  it('neither sends nor commits messages of a revoked partition', async () => {
    world.engine.accept(taken(1, retryTopic(1)));
    world.engine.accept(taken(1, undefined, aMessage({ ordinal: 2 })));
    world.engine.assign([1]);
    await world.pass(STEP_MS + 20);
    expect(world.attempted).to.deep.equal([]);
    expect(world.engine.size()).to.equal(0);
    expect(world.engine.positions()).to.deep.equal([]);
  });

  it('keeps the offset of an unreadable message open until it is quarantined', async () => {
    const putAside = deferred();
    world.engine.skip(sourceAt(1), () => putAside.promise);
    world.engine.accept(taken(2));
    await settleDown();
    expect(world.attempted).to.have.length(1);
    expect(offsets()).to.deep.equal([1]);
    world.engine.assign([0]);
    putAside.resolve();
    await settleDown();
    expect(offsets()).to.deep.equal([3]);
    expect(world.log.lines).to.deep.equal([]);
  });

  it('never marks an unreadable message as done if it could not be quarantined', async () => {
    world.engine.skip(sourceAt(1), () => Promise.reject(new Error('no broker')));
    await settleDown();
    expect(offsets()).to.deep.equal([1]);
  });

  it('quarantines neither duplicates nor messages of unassigned partitions', async () => {
    const quarantined: number[] = [];
    for (const source of [sourceAt(3), sourceAt(2), { ...sourceAt(9), partition: 1 }])
      world.engine.skip(source, async () => void quarantined.push(source.offset));
    await settleDown();
    expect(offsets()).to.deep.equal([4]);
    expect(quarantined).to.deep.equal([3]);
  });

  it('logs a reset partition and accepts it from its beginning', async () => {
    world.engine.skip(sourceAt(7), () => Promise.resolve());
    await settleDown();
    world.engine.committed(world.engine.positions());
    world.engine.assign([0]);
    world.engine.accept(taken(0));
    await settleDown();
    expect(world.log.lines).to.deep.equal(['warn partition.reset']);
    expect(world.attempted).to.have.length(1);
    expect(offsets()).to.deep.equal([1]);
  });

  // Regression: the positions moved beyond messages of the new topic whose attempts had not ended.
  it('keeps the offsets of a recreated topic open when work of the one before it ends', async () => {
    const [attempting, quarantining] = [deferred<SentAttempt>(), deferred()];
    world.attempting = () => attempting.promise;
    world.engine.accept(taken(0));
    world.engine.skip(sourceAt(1), () => quarantining.promise);
    await settleDown();
    world.engine.positionLost(sourceAt(0));
    for (const offset of [0, 1]) world.engine.skip(sourceAt(offset), () => new Promise(() => {}));
    attempting.resolve(aSentAttempt());
    quarantining.resolve();
    await settleDown();
    expect(world.store.deliveries.get(DELIVERY_ID)).to.include({ status: 'delivered' });
    expect(offsets()).to.deep.equal([0]);
  });

  it('holds back an attempt that cannot be recorded although others can, and does not make it again', async () => {
    const other = aMessage({ deliveryId: 'other' });
    world.store.deliveries.set('other', aDelivery({ id: 'other' }));
    rejectRecords();
    const observations = [anAttemptObservation(), anAttemptObservation({ deliveryId: 'other' })];
    world.attempting = async () => aSentAttempt(observations.shift());
    world.engine.accept(taken(1));
    world.engine.accept(taken(2, undefined, other));
    await world.pass(1_000);
    expect(world.store.deliveries.get('other')).to.include({ status: 'delivered' });
    expect(world.poisoned).to.equal(1);
    expect(offsets()).to.deep.equal([3]);
    for (let second = 0; second < 60; second += 1) await world.pass(1_000);
    // After 2, 4, 8, 16 and 32 seconds.
    expect(world.poisoned).to.equal(5);
    expect(world.log.lines).to.include('error settle.poisoned');
    expect(world.attempted).to.have.length(2);
    world.settling = world.store.settlements.settle;
    for (let second = 0; second < 64; second += 1) await world.pass(1_000);
    expect(world.store.deliveries.get(DELIVERY_ID)).to.include({ status: 'delivered', attempts: 1 });
    expect(world.attempted).to.have.length(2);
    expect(world.engine.size()).to.equal(0);
  });

  // Regression: without another attempt that showed that the database works, its offset stayed open for ever.
  it('completes the offset of an attempt that cannot be recorded while there are no others', async () => {
    rejectRecords();
    world.engine.accept(taken(1));
    const rejected = () => world.log.lines.filter((line) => line === 'error settle.rejected');
    await world.pass(1_000);
    expect(world.poisoned).to.equal(0);
    expect(offsets()).to.deep.equal([2]);
    expect(rejected(), 'a person must act').to.have.length(1);
    world.overdue = [ENDPOINT_ID];
    for (let second = 0; second < 60; second += 1) await world.pass(1_000);
    expect(rejected(), 'once a minute').to.have.length(2);
    expect(world.attempted).to.have.length(1);
    expect(world.engine.figures()).to.include({ unsettled: 1, jobs: 1 });
    world.settling = world.store.settlements.settle;
    await world.pass(1_000);
    expect(world.store.deliveries.get(DELIVERY_ID)).to.include({ status: 'delivered', attempts: 1 });
    expect(world.engine.size()).to.equal(0);
  });

  it('keeps the offset of an attempt that cannot be recorded while the database is away', async () => {
    rejectRecords();
    world.isDatabaseAway = true;
    world.engine.accept(taken(1));
    await world.pass(10_000);
    expect(offsets()).to.deep.equal([1]);
    expect(world.log.lines).to.not.include('error settle.rejected');
  });

  // Regression: the endpoint rested, and then the oldest row was tried again, which was always the same one.
  it('continues with the other deliveries of an endpoint whose oldest row is damaged', async () => {
    world.store.deliveries.set(DELIVERY_ID, aDelivery({ payload: null as never }));
    for (const id of ['second', 'third']) world.store.deliveries.set(id, aDelivery({ id }));
    world.attempting = async ({ message: { deliveryId } }) =>
      aSentAttempt(anAttemptObservation({ deliveryId }));
    world.engine.accept(taken(1));
    world.engine.accept(taken(2, undefined, aMessage({ deliveryId: 'second' })));
    world.engine.accept(taken(3, undefined, aMessage({ deliveryId: 'third' })));
    await world.pass(1_000);
    expect(world.attempted).to.deep.equal(['second', 'third']);
    expect(offsets()).to.deep.equal([4]);
    expect(world.engine.size()).to.equal(0);
    expect(world.store.deliveries.get(DELIVERY_ID)).to.deep.include({ attempts: 0, dueAt: later(61_000) });
    world.store.deliveries.set(DELIVERY_ID, aDelivery({ dueAt: later(61_000) }));
    world.overdue = [ENDPOINT_ID];
    for (let second = 0; second < 90; second += 1) await world.pass(1_000);
    expect(world.attempted, 'once it is repaired').to.deep.equal(['second', 'third', DELIVERY_ID]);
    expect(world.log.lines.filter((line) => line.startsWith('error'))).to.deep.equal([
      'error attempt.internal_error',
    ]);
  });

  // Regression: their records were reported as rejected, the failed one had no retry message, and a stop did not wait for attempts in
  // progress, because fewer than none were unsettled.
  for (const [name, damaged, outcome] of [
    ['its creation', { createdAt: null }, { kind: 'answered', httpStatus: 200, responseBody: null }],
    [
      'its last attempt',
      { attempts: 1, status: 'failed', lastAttempt: { ...aLastAttempt(), attemptedAt: null } },
      { kind: 'unreachable', reason: 'timeout' },
    ],
  ] as const)
    it(`settles the attempt of a row that has no time of ${name}`, async () => {
      world.store.deliveries.set(DELIVERY_ID, { ...aDelivery(), ...(damaged as object) });
      const ordinal = 'attempts' in damaged ? 2 : 1;
      world.attempting = async () => aSentAttempt(anAttemptObservation({ ordinal, outcome }));
      world.engine.accept(taken(5, undefined, aMessage({ ordinal })));
      await world.pass(1_000);
      expect(world.store.deliveries.get(DELIVERY_ID)).to.include({ attempts: ordinal });
      expect(world.log.lines).to.deep.equal([]);
      expect(world.enqueued).to.have.length(ordinal - 1);
      expect(world.engine.figures()).to.include({ unsettled: 0, jobs: 0 });
    });

  // Regression: its attempt was made again and again without a pause, because the row accepts none.
  it('makes no attempt of a row without a number of attempts, and reports the row', async () => {
    world.store.deliveries.set(DELIVERY_ID, aDelivery({ attempts: undefined as never }));
    world.engine.accept(taken(5));
    await world.pass(1_000);
    expect(world.attempted).to.deep.equal([]);
    expect(world.log.lines).to.deep.equal(['error attempt.internal_error']);
    expect(offsets()).to.deep.equal([6]);
    expect(world.engine.size()).to.equal(0);
  });

  it('makes an attempt that it has no room to hold back again, after delays that double', async () => {
    world.engine.close();
    world = anEngine({ limits: { maxHeldBack: 0 } });
    world.store.deliveries.set('other', aDelivery({ id: 'other' }));
    rejectRecords();
    const observations = [anAttemptObservation(), anAttemptObservation({ deliveryId: 'other' })];
    world.attempting = async () => aSentAttempt(observations.shift());
    world.engine.accept(taken(1));
    world.engine.accept(taken(2, undefined, aMessage({ deliveryId: 'other' })));
    await world.pass(1_000);
    expect(world.poisoned).to.equal(1);
    expect(offsets()).to.deep.equal([3]);
    expect(world.engine.size()).to.equal(0);
    expect(world.store.deliveries.get(DELIVERY_ID)?.dueAt).to.deep.equal(later(61_000));
    world.overdue = [ENDPOINT_ID];
    for (let second = 0; second < 60; second += 1) await world.pass(1_000);
    expect(world.attempted).to.have.length(2);
  });

  describe('with endpoints whose attempts cannot be made', () => {
    const BAD = ['a', 'b', 'c', 'd', 'e'].map((name) => ({
      endpointId: idFor('endpoint', `bad ${name}`),
      workspaceId: idFor('workspace', name),
    }));
    const HEALTHY = { endpointId: idFor('endpoint', 'healthy'), workspaceId: idFor('workspace', 'healthy') };
    const EACH = 20;
    let isKeyMissing: boolean;
    let tries: string[];
    let posts: string[];
    let offset: number;
    beforeEach(() => {
      world.engine.close();
      world = anEngine({ limits: { jobs: 40 } });
      [isKeyMissing, tries, posts, offset] = [true, [], [], 0];
      for (const { endpointId: id, workspaceId } of [...BAD, HEALTHY])
        world.store.endpoints.set(id, anEndpoint({ id, workspaceId, url: `https://${id}.example` }));
      world.attempting = async ({ key, message: { deliveryId, endpointId, ordinal } }) => {
        tries.push(endpointId);
        if (isKeyMissing && endpointId !== HEALTHY.endpointId)
          return { kind: 'undecryptable', error: new Error('unknown key') };
        posts.push(key);
        return aSentAttempt(anAttemptObservation({ deliveryId, endpointId, ordinal }));
      };
    });
    const accept = (owner: typeof HEALTHY, ordinal = 1, dueAt = world.clock.now()) => {
      const all = messages(EACH, { ...owner, ordinal, ...(ordinal > 1 && { dueAt }) });
      for (const message of all) {
        const { deliveryId: id, endpointId, workspaceId } = message;
        const stored = { id, endpointId, workspaceId, dueAt, createdAt: dueAt, attempts: ordinal - 1 };
        world.store.deliveries.set(id, aDelivery(stored));
        world.engine.accept(taken(offset++, ordinal === 1 ? undefined : retryTopic(ordinal - 1), message));
      }
    };
    const passSeconds = async (seconds: number) => {
      for (let tenth = 0; tenth < seconds * 10; tenth += 1) await world.pass(100);
    };
    const rowsOf = (one: typeof HEALTHY) =>
      [...world.store.deliveries.values()].filter(({ endpointId }) => endpointId === one.endpointId);

    for (const [name, ordinal] of [
      ['first attempts', 1],
      ['retries', 2],
    ] as const) {
      it(`keeps few of their ${name} in memory, so that others are sent`, async () => {
        const dueAt = new Date(world.clock.now().getTime() + (ordinal - 1) * 500);
        for (const owner of BAD) accept(owner, ordinal, dueAt);
        await passSeconds(2);
        expect(world.engine.figures().jobs).to.be.at.most(2 * BAD.length);
        accept(HEALTHY);
        await passSeconds(5);
        expect(posts).to.have.length(EACH);
        for (const row of rowsOf(HEALTHY)) expect(row.status).to.equal('delivered');
        expect(world.engine.figures().jobs).to.be.at.most(2 * BAD.length);
        expect(offsets(), 'no offset is open').to.include(offset);
      });

      it(`sends all of their ${name} once they can be made, each of them once`, async () => {
        for (const owner of BAD) accept(owner, ordinal);
        await passSeconds(10);
        for (const row of BAD.flatMap(rowsOf))
          expect(row).to.deep.include({ status: 'pending', attempts: ordinal - 1 });
        isKeyMissing = false;
        await passSeconds(20);
        expect(new Set(posts)).to.have.property('size', BAD.length * EACH);
        expect(posts).to.have.length(BAD.length * EACH);
        for (const row of BAD.flatMap(rowsOf)) expect(row.status).to.equal('delivered');
        expect(world.engine.size()).to.equal(0);
      });
    }

    it('tries one of their deliveries at a time, after pauses that double up to half a minute', async () => {
      accept(BAD[0]!);
      await passSeconds(60);
      // After 0, 1, 3, 7, 15, 31 and 61 seconds.
      expect(tries).to.have.length(6);
      await passSeconds(60);
      expect(tries).to.have.length(8);
      expect(world.log.lines.filter((line) => line === 'error attempt.undecryptable')).to.have.length(2);
    });
  });

  describe('with failures that are withheld', () => {
    const FAILED = aSentAttempt(
      anAttemptObservation({ outcome: { kind: 'unreachable', reason: 'timeout' } }),
    );
    const row = () => world.store.deliveries.get(DELIVERY_ID);
    let attempting: ReturnType<typeof deferred<SentAttempt>>;
    beforeEach(async () => {
      world.engine.close();
      world = anEngine({ guard: aGuardThatWithholds() });
      attempting = deferred();
      world.attempting = () => attempting.promise;
      world.engine.accept(taken(5));
      await settleDown();
    });

    it('leaves their offsets open until they are judged', async () => {
      attempting.resolve(FAILED);
      await settleDown();
      await world.pass(1_000);
      expect(row()).to.include({ status: 'pending', attempts: 0 });
      expect(offsets()).to.deep.equal([5]);
    });

    it('records them when it is stopped', async () => {
      attempting.resolve(FAILED);
      await settleDown();
      const resting = world.engine.quiesce(60_000);
      await settleDown();
      await world.pass(20);
      await resting;
      expect(row()).to.include({ status: 'failed', attempts: 1 });
      expect(offsets()).to.deep.equal([6]);
    });

    it('records those of attempts in progress as they end while it is stopped', async () => {
      const resting = world.engine.quiesce(60_000);
      await world.pass(100);
      attempting.resolve(FAILED);
      await settleDown();
      await world.pass(20);
      expect(row()).to.include({ status: 'failed', attempts: 1 });
      await world.pass(20);
      await resting;
    });

    it('records those of endpoints that it loses, so that their next owner does not make the attempts again', async () => {
      attempting.resolve(FAILED);
      await settleDown();
      world.engine.assign([1]);
      await settleDown();
      expect(row()).to.include({ status: 'failed', attempts: 1 });
      expect(world.engine.size()).to.equal(0);
    });

    it('keeps withholding those of the endpoints that stay', async () => {
      attempting.resolve(FAILED);
      await settleDown();
      world.engine.assign([0, 1]);
      await settleDown();
      expect(row()).to.include({ status: 'pending', attempts: 0 });
    });
  });

  describe('when its endpoints go to another process', () => {
    const dueAt = () => world.store.deliveries.get(DELIVERY_ID)?.dueAt;
    const recordedBy = () => later(100 + ATTEMPT_LIMIT_MS);
    const begin = async () => {
      world.engine.accept(taken(1));
      await settleDown();
      await world.pass(100);
    };

    it('makes rows of attempts in progress due once these must have been recorded, before it leaves', async () => {
      world.attempting = () => new Promise(() => {});
      await begin();
      await world.engine.extendDueTimes();
      expect(dueAt()).to.deep.equal(recordedBy());
    });

    it('does so with rows of attempts that have ended and are not recorded', async () => {
      world.settling = () => new Promise(() => {});
      await begin();
      await world.engine.extendDueTimes();
      expect(dueAt()).to.deep.equal(recordedBy());
    });

    it('does so in a rebalance with those of the endpoints that it loses, and with no others', async () => {
      world.attempting = () => new Promise(() => {});
      await begin();
      const before = dueAt();
      world.engine.assign([0, 1]);
      await settleDown();
      expect(dueAt()).to.deep.equal(before);
      world.engine.assign([1]);
      await settleDown();
      expect(dueAt()).to.deep.equal(recordedBy());
    });
  });

  describe('quiesce', () => {
    it('waits for attempts in progress and starts no further ones', async () => {
      const attempting = deferred<SentAttempt>();
      world.attempting = () => attempting.promise;
      world.engine.accept(taken(1));
      await settleDown();
      let atRest = false;
      const resting = world.engine.quiesce(60_000).then(() => {
        atRest = true;
      });
      world.engine.accept(taken(2, undefined, aMessage({ ordinal: 2 })));
      await world.pass(100);
      expect(atRest).to.equal(false);
      attempting.resolve(aSentAttempt());
      await settleDown();
      await world.pass(20);
      await resting;
      expect(world.store.deliveries.get(DELIVERY_ID)).to.include({ status: 'delivered' });
      expect(world.attempted).to.have.length(1);
      expect(offsets(), 'the second message is still open').to.deep.equal([2]);
    });

    it('reads what other processes found before it decides withheld failures', async () => {
      const calls: string[] = [];
      const guarded = anEngine({
        guard: {
          ...NO_GUARD,
          refresh: async () => void calls.push('refresh'),
          decideNow: () => void calls.push('decide'),
        },
      });
      calls.length = 0;
      await guarded.engine.quiesce(0);
      guarded.engine.close();
      expect(calls).to.deep.equal(['refresh', 'decide']);
    });

    it('reads no rows of parked endpoints from then on', async () => {
      world.overdue.push(ENDPOINT_ID);
      await world.engine.quiesce(0);
      for (let second = 0; second < 31; second += 1) await world.pass(1_000);
      expect(world.engine.figures()).to.include({ parked: 1 });
      expect(world.queried).to.equal(0);
    });

    it('does not wait longer than its limit', async () => {
      world.attempting = () => new Promise(() => {});
      world.engine.accept(taken(1));
      await settleDown();
      await world.engine.quiesce(0);
      expect(offsets()).to.deep.equal([1]);
    });
  });
});
