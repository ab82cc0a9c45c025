import fc from 'fast-check';
import { deadLetter } from '../domain/dead-letter.js';
import type { Attempt, DeliverySummary, StreakChange } from '../domain/delivery.js';
import type { Endpoint, EndpointFields } from '../domain/endpoint.js';
import type { DeliveryId, EndpointId } from '../domain/id.js';
import type { Outcome } from '../domain/judge.js';
import { type Observation, type Settlement, type Situation, settle } from '../domain/settle.js';
import { clearStreak } from '../domain/streak.js';
import {
  aCancellation,
  aDelivery,
  aFailingEndpoint,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
  later,
  unreachable,
  unsendable,
} from './builders.js';

export const STEP_MS = 30_000;
/** Every POST of a script takes this long. */
export const DURATION_MS = 100;
const DELIVERIES = 4;

/** An observation. `off` is its distance from the row's next ordinal: negative is late, positive is too early. */
interface ObservationStep {
  readonly kind: 'attempt' | 'cancellation';
  readonly delivery: number;
  readonly off: number;
  readonly outcome: Outcome;
}

/** A concurrent change by an operator or by the dead-letter consumer. */
interface Interference {
  readonly kind: 'enable' | 'disable' | 'delete' | 'dead-letter';
  readonly delivery: number;
}

const outcome = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(answered(503, 'busy'), answered(429), unreachable('tls'), unreachable()),
  },
  { weight: 1, arbitrary: fc.constantFrom(answered(404), unsendable()) },
  { weight: 1, arbitrary: fc.constant(answered(200, 'ok')) },
);
const delivery = fc.nat(DELIVERIES - 1);
const off = fc.oneof(
  { weight: 8, arbitrary: fc.constant(0) },
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 3 }) },
);
const seenAs = (kind: ObservationStep['kind']) =>
  fc.record({ kind: fc.constant(kind), delivery, off, outcome });
const seen: fc.Arbitrary<ObservationStep> = fc.oneof(
  { weight: 15, arbitrary: seenAs('attempt') },
  { weight: 1, arbitrary: seenAs('cancellation') },
);
const interference: fc.Arbitrary<Interference> = fc.record({
  kind: fc.constantFrom(
    'enable',
    'enable',
    'disable',
    'delete',
    'dead-letter',
    'dead-letter',
    'dead-letter',
    'dead-letter',
    'dead-letter',
  ),
  delivery,
});

const length = { minLength: 20, maxLength: 100, size: 'max' } as const;
export const observationsOnly = fc.array(seen, length);
export const everything = fc.array<ObservationStep | Interference>(
  fc.oneof({ weight: 8, arbitrary: seen }, { weight: 1, arbitrary: interference }),
  length,
);

/** The results of a script whose observations are settled one by one. */
export interface Story {
  readonly deliveries: Map<DeliveryId, DeliverySummary>;
  readonly endpoints: Map<EndpointId, Endpoint>;
  readonly observations: Observation[];
  readonly settlements: (Settlement | null)[];
  readonly attempts: Attempt[];
  /** Each observation with the state that it was settled on. */
  readonly steps: { before: Situation; observation: Observation; settlement: Settlement | null }[];
  /** Each row before and after each change. */
  readonly moves: { readonly before: DeliverySummary; readonly after: DeliverySummary }[];
  /** The streak changes of each endpoint, in order. */
  readonly chain: Map<string, StreakChange[]>;
}

/** Four new deliveries to two endpoints, one of which is close to being disabled. */
export function opening(): Pick<Story, 'deliveries' | 'endpoints'> {
  const endpoints = [anEndpoint(), aFailingEndpoint(15, { id: idFor('endpoint', 'failing') })] as const;
  const rows = Array.from({ length: DELIVERIES }, (_, index) =>
    aDelivery({ id: idFor('delivery', `${index}`), endpointId: endpoints[index % 2]!.id }),
  );
  return {
    deliveries: new Map(rows.map((row) => [row.id, row])),
    endpoints: new Map(endpoints.map((endpoint) => [endpoint.id, endpoint])),
  };
}

export function play(script: readonly (ObservationStep | Interference)[]): Story {
  const story: Story = {
    ...opening(),
    observations: [],
    settlements: [],
    attempts: [],
    steps: [],
    moves: [],
    chain: new Map(),
  };
  script.forEach((step, index) => {
    const at = later(index * 1_000);
    const row = story.deliveries.get(idFor('delivery', `${step.delivery}`))!;
    if (step.kind === 'attempt' || step.kind === 'cancellation') observe(story, observationOf(step, row, at));
    else interfere(story, step.kind, row, at);
    story.moves.push({ before: row, after: story.deliveries.get(row.id)! });
  });
  return story;
}

function observationOf(step: ObservationStep, row: DeliverySummary, at: Date): Observation {
  const ordinal = Math.max(1, row.attempts + 1 + step.off);
  const common = { deliveryId: row.id, endpointId: row.endpointId, ordinal, endedAt: at };
  if (step.kind === 'cancellation') return aCancellation(common);
  return anAttemptObservation({
    ...common,
    outcome: step.outcome,
    attemptedAt: later(-DURATION_MS, at),
    durationMs: step.outcome.kind === 'unsendable' ? null : DURATION_MS,
  });
}

function observe(story: Story, observation: Observation): void {
  const delivery = story.deliveries.get(observation.deliveryId)!;
  const endpoint = story.endpoints.get(observation.endpointId)!;
  const settlement = settle({ delivery, endpoint }, observation, STEP_MS);
  story.observations.push(observation);
  story.settlements.push(settlement);
  story.steps.push({ before: { delivery, endpoint }, observation, settlement });
  if (settlement === null) return;
  story.deliveries.set(delivery.id, settlement.delivery);
  story.attempts.push(settlement.attempt);
  if (settlement.endpoint)
    story.endpoints.set(endpoint.id, { ...endpoint, ...settlement.endpoint } as Endpoint);
  link(story, endpoint.id, settlement.attempt.streak);
}

function interfere(story: Story, kind: Interference['kind'], row: DeliverySummary, at: Date): void {
  const endpoint = story.endpoints.get(row.endpointId)!;
  const change = (next: Partial<EndpointFields>) =>
    story.endpoints.set(endpoint.id, { ...endpoint, ...next } as Endpoint);
  switch (kind) {
    case 'enable': {
      if (endpoint.enabled || endpoint.deletedAt) return;
      const cleared = clearStreak(endpoint, at);
      link(story, endpoint.id, cleared.change);
      change({ ...cleared.endpoint, enabled: true, disabledReason: null });
      return;
    }
    case 'disable':
      if (endpoint.enabled) change({ enabled: false, disabledReason: 'operator' });
      return;
    case 'delete':
      change({ deletedAt: at, secrets: null });
      return;
    case 'dead-letter': {
      const settlement = deadLetter(row, endpoint, at);
      if (settlement === null) return;
      story.deliveries.set(row.id, settlement.delivery);
      story.attempts.push(settlement.attempt);
    }
  }
}

function link({ chain }: Story, endpointId: string, change: StreakChange | null): void {
  if (change) chain.set(endpointId, [...(chain.get(endpointId) ?? []), change]);
}
