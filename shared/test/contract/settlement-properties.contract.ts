import { expect } from 'chai';
import fc from 'fast-check';
import type { Delivery } from '../../src/domain/delivery.js';
import type { Endpoint } from '../../src/domain/endpoint.js';
import type { DeliveryId, EndpointId } from '../../src/domain/id.js';
import type { Outcome } from '../../src/domain/judge.js';
import { needsNoTransaction } from '../../src/domain/needs-no-transaction.js';
import type { Observation } from '../../src/domain/settle.js';
import { type Stored, settleAll } from '../../src/domain/settle-all.js';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  later,
  unreachable,
} from '../../src/testing/builders.js';
import type { CreateStores, StoresUnderTest } from './stores-under-test.js';

const STEP_MS = 30_000;
const AHEAD = new Date('2999-01-01');
const DELIVERIES = 4;
const RUNS = { numRuns: 15 };

/** An attempt that a process observed. `off` is its distance from the row's next ordinal: negative ones come late. */
interface Seen {
  readonly delivery: number;
  readonly off: number;
  readonly outcome: Outcome;
}

/** Observations that are stored together; `repeats` as after a response that was lost. */
interface Group {
  readonly seen: readonly Seen[];
  readonly repeats: boolean;
}

const group: fc.Arbitrary<Group> = fc.record({
  seen: fc.array(
    fc.record({
      delivery: fc.nat(DELIVERIES - 1),
      off: fc.constantFrom(0, 0, 0, 0, -1, 1),
      outcome: fc.constantFrom(answered(200, 'ok'), answered(503), answered(404), unreachable()),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  repeats: fc.boolean(),
});

/** The properties of stored attempts that every `SettlementStore` has to have. */
export function settlementProperties(createStores: CreateStores): void {
  let stores: StoresUnderTest;
  let runs = 0;
  beforeEach(() => {
    stores = createStores();
  });

  /** New deliveries to two endpoints, which no other run has. */
  const prepare = async () => {
    runs += 1;
    const endpoints = [0, 1].map((n) => anEndpoint({ id: idFor('endpoint', `${runs} ${n}`) }));
    const rows = Array.from({ length: DELIVERIES }, (_, n) =>
      aDelivery({ id: idFor('delivery', `${runs} ${n}`), endpointId: endpoints[n % 2]!.id }),
    );
    await stores.store({ deliveries: rows, endpoints });
    return { rows, endpoints };
  };
  const ofEndpoints = async (endpoints: readonly Endpoint[]) => {
    const ids = new Set(endpoints.map(({ id }) => id));
    const rows = (await stores.rows()).filter((row) => ids.has(row.endpointId));
    const attempts = (await stores.attempts()).filter((attempt) => ids.has(attempt.endpointId));
    return { rows, attempts, endpoints: (await stores.endpoints()).filter(({ id }) => ids.has(id)) };
  };
  const settle = (observations: readonly Observation[]) =>
    stores.settlements.settle(observations, (stored) => settleAll(stored, observations, STEP_MS));
  /** As a dispatcher does: without a transaction if nothing but rows seems to change, with one if that stores too little. */
  const store = async (observations: readonly Observation[], known: Stored) => {
    const isAlone = observations.every((one) =>
      needsNoTransaction(
        {
          delivery: known.deliveries.get(one.deliveryId) ?? null,
          endpoint: known.endpoints.get(one.endpointId) ?? null,
        },
        one,
      ),
    );
    const areDistinct = new Set(observations.map((one) => one.deliveryId)).size === observations.length;
    if (isAlone && areDistinct) {
      if (await stores.settlements.record(settleAll(known, observations, STEP_MS), AHEAD)) return;
    }
    await settle(observations);
  };

  it('has what settling one observation after the other leads to, however they are grouped and repeated', () =>
    fc.assert(
      fc.asyncProperty(fc.array(group, { minLength: 1, maxLength: 10 }), async (groups) => {
        const model = modelOf(await prepare());
        for (const [index, { seen, repeats }] of groups.entries()) {
          const observations = seen.map((one) => model.observationOf(one, index));
          const known = model.snapshot();
          for (let times = repeats ? 2 : 1; times > 0; times -= 1) {
            for (const observation of observations) model.settle(observation);
            await store(observations, known);
          }
        }
        const stored = await ofEndpoints([...model.endpoints.values()]);
        expect(stored.rows).to.have.deep.members([...model.deliveries.values()]);
        expect(stored.endpoints).to.have.deep.members([...model.endpoints.values()]);
        expect(stored.attempts).to.have.deep.members(model.attempts);
      }),
      RUNS,
    ));

  it('keeps the first of two observations of an attempt that two processes store at the same time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), async (areAlone) => {
        const { rows, endpoints } = await prepare();
        const known = modelOf({ rows, endpoints }).snapshot();
        const observed = (outcome: Outcome, ms: number) =>
          rows.map((row) =>
            anAttemptObservation({
              ...{ deliveryId: row.id, endpointId: row.endpointId, outcome },
              ...{ attemptedAt: later(ms), endedAt: later(ms + 40) },
            }),
          );
        const successes = observed(answered(200), 0);
        const stale = areAlone.map((isAlone, n) => ({ isAlone, observation: successes[n]! }));
        await Promise.all([
          ...stale.map(({ isAlone, observation }) =>
            isAlone ? store([observation], known) : settle([observation]),
          ),
          ...observed(answered(503), 1_000).map((observation) => settle([observation])),
        ]);
        const stored = await ofEndpoints(endpoints);
        expect(stored.attempts.map(({ deliveryId, ordinal }) => [deliveryId, ordinal])).to.have.deep.members(
          rows.map(({ id }) => [id, 1]),
        );
        for (const attempt of stored.attempts) {
          const row = stored.rows.find(({ id }) => id === attempt.deliveryId);
          expect(row).to.include({ attempts: 1, status: attempt.status });
          expect(row?.lastAttempt).to.deep.include({ attemptedAt: attempt.attemptedAt });
        }
        const versions = stored.endpoints.map(({ id, streakVersion }) => [id, streakVersion]);
        const changes = endpoints.map(({ id }) => [
          id,
          stored.attempts.filter(({ endpointId, streak }) => endpointId === id && streak !== null).length,
        ]);
        expect(versions).to.have.deep.members(changes);
      }),
      RUNS,
    ));
}

interface Prepared {
  readonly rows: readonly Delivery[];
  readonly endpoints: readonly Endpoint[];
}

/** What is stored if every observation is settled on the results of those before it. */
function modelOf({ rows, endpoints }: Prepared) {
  const model = {
    deliveries: new Map<DeliveryId, Delivery>(rows.map((row) => [row.id, row])),
    endpoints: new Map<EndpointId, Endpoint>(endpoints.map((endpoint) => [endpoint.id, endpoint])),
  };
  const attempts: ReturnType<typeof settleAll>['attempts'][number][] = [];
  return {
    ...model,
    attempts,
    snapshot: (): Stored => ({ deliveries: new Map(model.deliveries), endpoints: new Map(model.endpoints) }),
    observationOf({ delivery, off, outcome }: Seen, second: number): Observation {
      const row = model.deliveries.get(rows[delivery]!.id)!;
      return anAttemptObservation({
        ...{ deliveryId: row.id, endpointId: row.endpointId, outcome },
        ordinal: Math.max(1, row.attempts + 1 + off),
        ...{ attemptedAt: later(second * 1_000), endedAt: later(second * 1_000 + 40) },
      });
    },
    settle(observation: Observation): void {
      const batch = settleAll(model, [observation], STEP_MS);
      attempts.push(...batch.attempts);
      for (const row of batch.deliveries)
        model.deliveries.set(row.id, { ...model.deliveries.get(row.id)!, ...row } as Delivery);
      for (const standing of batch.endpoints)
        model.endpoints.set(standing.id, { ...model.endpoints.get(standing.id)!, ...standing } as Endpoint);
    },
  };
}
