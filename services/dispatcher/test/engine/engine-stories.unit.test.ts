import { isTerminal } from '@postrider/shared/domain/delivery';
import { FAILURES_THAT_DISABLE } from '@postrider/shared/domain/endpoint';
import { expect } from 'chai';
import fc from 'fast-check';
import { poolLimits } from '../../src/engine/scheduler/pool-limits.js';
import { type Genre, scripts } from './simulation/script.js';
import { LIMITS, type Rules, type Simulated, simulate } from './simulation/simulate.js';

const CALM: Genre = { happens: ['copy', 'stray', 'toggle', 'break'], slowest: 600 };
const UNDISTURBED: Genre = { happens: ['copy', 'stray', 'break'], slowest: 600 };
const MESSAGES_ONLY: Genre = { happens: ['copy', 'stray', 'break', 'move', 'kill'], slowest: 200 };
const ROWS_ONLY: Genre = { happens: ['lose', 'lose', 'recreate'], slowest: 600 };
const EVERYTHING: Genre = {
  happens: ['lose', 'copy', 'stray', 'move', 'move', 'kill', 'toggle', 'break', 'recreate'],
  slowest: 12_000,
};

const holds = (genre: Genre, rules: Rules, check: (story: Simulated) => void) =>
  fc.assert(
    fc.asyncProperty(scripts(genre), async (script) => check(await simulate(script, rules))),
    { numRuns: 7 },
  );

/** The invariants of every script. */
function expectAGoodEnd(story: Simulated): void {
  for (const row of story.store.deliveries.values()) expect(isTerminal(row), row.status).to.equal(true);
  for (const { topic, partition, entries, committed } of story.broker.logs) {
    expect(committed, `${topic}/${partition}`).to.be.above(entries.at(-1)?.offset ?? -1);
  }
  expect(story.held, 'jobs in memory').to.deep.equal([0, 0]);
  expect(story.log.lines.filter((line) => line.startsWith('error'))).to.deep.equal([]);
  for (const { delivery, at, closed } of story.receiver.posts) {
    expect(delivery.dueAt!.getTime(), 'never early').to.be.at.most(at.getTime());
    expect(closed).to.equal(null);
  }
  expectWholeHistories(story);
}

/** Each delivery has attempts 1, 2, 3 …, each of them POSTed, and at most one bookkeeping record at the end. */
function expectWholeHistories({ store, receiver }: Simulated): void {
  const posted = new Set(receiver.posts.map(({ delivery, ordinal }) => `${delivery.id}:${ordinal}`));
  const history = Map.groupBy(store.attempts.values(), ({ deliveryId }) => deliveryId);
  for (const row of store.deliveries.values()) {
    const attempts = history.get(row.id) ?? [];
    expect(attempts.map(({ ordinal }) => ordinal)).to.deep.equal(attempts.map((_, index) => index + 1));
    for (const { ordinal } of attempts.slice(0, row.attempts))
      expect(posted).to.include(`${row.id}:${ordinal}`);
    expect(attempts.length - row.attempts).to.be.oneOf([0, 1]);
  }
}

/** Every failure of an enabled endpoint counts, and every success after failures resets the streak, in the stored order. */
function expectExactStreaks({ store }: Simulated): void {
  const streaks = new Map<string, number>();
  for (const { endpointId, status, failureReason, streak } of store.attempts.values()) {
    const before = streaks.get(endpointId) ?? 0;
    const isBookkeeping = failureReason === 'retries_exhausted' || failureReason === 'endpoint_disabled';
    if (before === FAILURES_THAT_DISABLE || isBookkeeping) continue;
    const after = status === 'delivered' ? 0 : before + 1;
    streaks.set(endpointId, after);
    expect(streak && [streak.before, streak.after]).to.deep.equal(after === before ? null : [before, after]);
  }
  for (const { id, consecutiveFailures } of store.endpoints.values())
    expect(consecutiveFailures).to.equal(streaks.get(id) ?? 0);
}

function expectNothingTwice({ receiver }: Simulated): void {
  const posted = receiver.posts.map(({ delivery, ordinal }) => `${delivery.id}:${ordinal}`);
  expect(posted).to.have.length(new Set(posted).size);
}

function expectCapsKept({ receiver }: Simulated): void {
  for (const { inFlight, inFlightInAll } of receiver.posts) {
    expect(inFlight).to.be.at.most(LIMITS.perEndpoint);
    expect(inFlightInAll).to.be.at.most(LIMITS.prompt + 2 * LIMITS.lingering);
  }
}

describe('engine simulation, for any script', () => {
  it('POSTs each attempt once while no process dies and no partition moves, despite duplicate messages', () =>
    holds(CALM, {}, (story) => {
      expectAGoodEnd(story);
      expectNothingTwice(story);
      expectCapsKept(story);
    }));

  it('counts every failure once and resets the streak by every success, in the order in which they are stored', () =>
    holds(UNDISTURBED, {}, (story) => {
      expectAGoodEnd(story);
      expectExactStreaks(story);
    }));

  it('completes all deliveries from their messages alone, despite rebalances, crashes and failures', () =>
    holds(
      MESSAGES_ONLY,
      {
        healing: false,
        limits: {
          jobs: 1_000,
          maxUnpublished: 1_000,
          ...poolLimits({ perEndpoint: 200, prompt: 200, lingering: 800, bytes: 2 ** 24 }),
        },
      },
      expectAGoodEnd,
    ));

  it('completes all deliveries from their rows alone when messages are lost and topics are reset', () =>
    holds(ROWS_ONLY, {}, (story) => {
      expectAGoodEnd(story);
      expectCapsKept(story);
    }));

  it('completes all deliveries under all faults combined', () =>
    holds(EVERYTHING, {}, (story) => {
      expectAGoodEnd(story);
      expectCapsKept(story);
    }));
});

describe('engine simulation scripts', () => {
  it('cover every status, parking, recovery and every transient failure', async () => {
    const met = new Set<string>();
    const sample = (seed: number, numRuns: number) => fc.sample(scripts(EVERYTHING), { numRuns, seed });
    for (const script of [...sample(8, 8), ...sample(13, 8)]) {
      const { store, log, handedOver, receiver } = await simulate(script);
      if (receiver.posts.some(({ delivery }) => handedOver.has(delivery.id))) met.add('handed over');
      for (const { status, failureReason } of store.deliveries.values())
        met.add(`${status} ${failureReason}`);
      for (const line of log.lines) met.add(line);
    }
    expect([...met]).to.include.members([
      'delivered null',
      'failed_permanent http_status',
      'failed_permanent endpoint_disabled',
      'dead_lettered retries_exhausted',
      'handed over',
      'info reconciled',
      'warn partition.reset',
      'warn read.failed',
      'warn settle.failed',
      'warn forward.failed',
      'warn feed.failed',
      'warn reconcile.failed',
    ]);
  });
});
