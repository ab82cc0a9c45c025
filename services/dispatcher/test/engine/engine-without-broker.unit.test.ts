import { FIRST_LEVEL } from '@postrider/shared/domain/feature-level';
import {
  aDelivery,
  aMessage,
  anAttemptObservation,
  anEndpoint,
  idFor,
} from '@postrider/shared/testing/builders';
import { fixedFeatureLevel } from '@postrider/shared/testing/fixed-feature-level';
import { createInMemoryStores } from '@postrider/shared/testing/in-memory-stores';
import { expect } from 'chai';
import { createEngine } from '../../src/engine/engine.js';
import { NO_GUARD } from '../../src/ports/guard.js';
import { aClock, aLog, settleDown, sourceAt, turnLimitsBy } from './builders.js';
import { LIMITS } from './simulation/simulate.js';

const FAILING = idFor('endpoint', 'failing');
const HEALTHY = idFor('endpoint', 'healthy');
const FAILURES = LIMITS.maxUnsettled + LIMITS.maxUnpublished + 4;

/** An engine whose messages are accepted by no broker, over rows of an endpoint that fails and one that does not. */
function anEngine() {
  const clock = aClock();
  const log = aLog();
  const store = createInMemoryStores();
  for (const id of [FAILING, HEALTHY]) store.endpoints.set(id, anEndpoint({ id }));
  const engine = createEngine({
    store: store.settlements,
    backlog: { ...store.backlog, async *overdueEndpoints() {} },
    sendAttempt: async ({ message: { deliveryId, endpointId, ordinal } }) => {
      const httpStatus = endpointId === FAILING ? 500 : 200;
      const outcome = { kind: 'answered', httpStatus, responseBody: '' } as const;
      const observation = anAttemptObservation({ deliveryId, endpointId, ordinal, outcome });
      // Without an end, so that the endpoints stay new: one POST at a time.
      return { kind: 'attempted', observation, posted: null };
    },
    enqueue: () => new Promise(() => {}),
    guard: NO_GUARD,
    clock,
    monotonicMs: () => clock.now().getTime(),
    busy: () => 0,
    turnLimit: turnLimitsBy(() => clock.now().getTime()),
    partitionOf: () => 0,
    retryStepMs: 30_000,
    attemptLimitMs: 15_000,
    featureLevel: fixedFeatureLevel(FIRST_LEVEL),
    ownedUntil: () => null,
    isCutOff: () => false,
    isDatabaseAway: () => false,
    createPacer: () => async () => {},
    onSettled: () => {},
    onPoisoned: () => {},
    limits: { ...LIMITS, jobs: 1_000 },
    log,
  });
  engine.assign([0]);
  let offset = 0;
  const deliver = (endpointId: typeof FAILING, name: string) => {
    const id = idFor('delivery', name);
    store.deliveries.set(id, aDelivery({ id, endpointId }));
    offset += 1;
    engine.accept({
      ...sourceAt(offset),
      message: aMessage({ deliveryId: id, endpointId }),
      appendedAt: clock.now().getTime(),
    });
    return id;
  };
  return { engine, store, log, deliver };
}

describe('engine whose messages are accepted by no broker', () => {
  let world: ReturnType<typeof anEngine>;
  beforeEach(() => {
    world = anEngine();
  });
  afterEach(() => world.engine.close());

  it('records failures and delivers to other endpoints, and leaves further retries to their rows', async () => {
    for (let n = 0; n < FAILURES; n += 1) world.deliver(FAILING, `failing ${n}`);
    await settleDown(200);
    const delivered = world.deliver(HEALTHY, 'healthy');
    await settleDown();
    const rows = [...world.store.deliveries.values()];
    expect(rows.filter(({ status }) => status === 'failed')).to.have.length(FAILURES);
    expect(world.store.deliveries.get(delivered)).to.include({ status: 'delivered' });
    expect(world.engine.size()).to.equal(LIMITS.maxUnpublished);
    expect(world.log.lines).to.deep.equal(['warn forward.left']);
  });
});
