import { expect } from 'chai';
import type { Delivery } from '../../src/domain/delivery.js';
import { type StatStep, stepsOfEnd, stepsOfRow, stepsOfSettled } from '../../src/domain/delivery-stats.js';
import type { Observation } from '../../src/domain/settle.js';
import { settleAll } from '../../src/domain/settle-all.js';
import { addSteps, type HourCounts, replacements } from '../../src/domain/stat-hours.js';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  aTerminalDelivery,
  later,
  NOON,
} from '../../src/testing/builders.js';

const HOUR_MS = 3_600_000;

function sumOf(steps: readonly StatStep[]): Record<string, Record<string, number>> {
  const hours = new Map<number, HourCounts>();
  addSteps(hours, steps);
  return Object.fromEntries(
    [...hours.values()].map(({ hour, fields }) => [
      hour.toISOString().slice(11, 13),
      Object.fromEntries([...fields].filter(([, count]) => count !== 0)),
    ]),
  );
}

/** Settles observations of one delivery one after the other. @returns all steps, and those of the row that results */
function settleEach(observations: readonly Observation[]) {
  const endpoint = anEndpoint();
  let delivery: Delivery = aDelivery();
  const steps: StatStep[] = [];
  const attempts: unknown[] = [];
  for (const observation of observations) {
    const stored = {
      deliveries: new Map([[delivery.id, delivery]]),
      endpoints: new Map([[endpoint.id, endpoint]]),
    };
    const batch = settleAll(stored, [observation], 30_000);
    steps.push(...stepsOfSettled(batch.results[0]!, delivery));
    attempts.push(...batch.attempts);
    delivery = (batch.results[0]!.after.delivery ?? delivery) as Delivery;
  }
  return { steps, ofRow: stepsOfRow(delivery, attempts as never) };
}

const attempt = (ordinal: number, httpStatus: number, at: Date) =>
  anAttemptObservation({
    ordinal,
    outcome: answered(httpStatus),
    attemptedAt: at,
    endedAt: later(20, at),
    durationMs: 20,
  });

describe('counts of deliveries', () => {
  it('count a success in the hour in which it came, with its latency', () => {
    const { steps } = settleEach([attempt(1, 200, NOON)]);
    expect(sumOf(steps)).to.deep.equal({ 12: { delivered: 1, attempts: 1, 'latency.13': 1 } });
  });

  it('count a delivery by its last outcome only, and each attempt in its own hour', () => {
    const { steps } = settleEach([attempt(1, 503, NOON), attempt(2, 200, later(HOUR_MS))]);
    expect(sumOf(steps)).to.deep.equal({
      12: { attempts: 1, 'latency.13': 1 },
      13: { delivered: 1, attempts: 1, 'latency.13': 1 },
    });
  });

  it('are the same for rows as for the observations that led to them', () => {
    for (const statuses of [[200], [503], [503, 404], [500, 503, 200], [404]]) {
      const observations = statuses.map((status, index) =>
        attempt(index + 1, status, later(index * HOUR_MS)),
      );
      const { steps, ofRow } = settleEach(observations);
      expect(sumOf(ofRow), String(statuses)).to.deep.equal(sumOf(steps));
    }
  });

  it('count held deliveries apart from failures', () => {
    const held = { ...aTerminalDelivery('failed_permanent'), failureReason: 'endpoint_disabled' } as Delivery;
    expect(sumOf(stepsOfEnd(held, { before: null, at: NOON }))).to.deep.equal({ 12: { held: 1 } });
  });

  it('mark what came more than a day after the creation', () => {
    const { steps, ofRow } = settleEach([attempt(1, 503, NOON), attempt(2, 200, later(25 * HOUR_MS))]);
    const expected = {
      12: { attempts: 1, 'latency.13': 1 },
      13: {
        delivered: 1,
        attempts: 1,
        'latency.13': 1,
        'late.delivered': 1,
        'late.attempts': 1,
        'late.latency.13': 1,
      },
    };
    expect(sumOf(steps)).to.deep.equal(expected);
    expect(sumOf(ofRow)).to.deep.equal(expected);
  });

  it('count nothing for an observation that is not stored', () => {
    const stored = { deliveries: new Map(), endpoints: new Map() };
    const [result] = settleAll(stored, [attempt(1, 200, NOON)], 30_000).results;
    expect(stepsOfSettled(result!, null)).to.deep.equal([]);
  });
});

describe('replacements of counted hours', () => {
  const span = { from: NOON, before: later(2 * HOUR_MS) };
  const hour = (index: number, fields: Readonly<Record<string, number>>) =>
    [
      later(index * HOUR_MS).getTime(),
      { hour: later(index * HOUR_MS), fields: new Map(Object.entries(fields)) },
    ] as const;

  it('are hours within the span that differ, with the version that they replace', () => {
    const stored = new Map(
      [hour(-1, { delivered: 9 }), hour(0, { delivered: 1, failed: 0 }), hour(1, { failed: 1 })].map(
        ([begin, one]) => [begin, { ...one, version: 3 }],
      ),
    );
    const counted = new Map([
      hour(0, { delivered: 1 }),
      hour(1, { delivered: 1 }),
      hour(2, { delivered: 1 }),
    ]);
    expect(replacements(stored, counted, span)).to.deep.equal([
      { hour: later(HOUR_MS), fields: new Map([['delivered', 1]]), version: 3 },
    ]);
    expect(replacements(new Map(), counted, span).map(({ version }) => version)).to.deep.equal([null, null]);
  });

  it('keep the part of late outcomes', () => {
    const late = { delivered: 3, 'late.delivered': 1 };
    const stored = new Map(
      [hour(0, late), hour(1, late)].map(([begin, one]) => [begin, { ...one, version: 3 }]),
    );
    const counted = new Map([hour(0, { delivered: 2 }), hour(1, { delivered: 5 })]);
    expect(replacements(stored, counted, span)).to.deep.equal([
      {
        hour: later(HOUR_MS),
        fields: new Map(Object.entries({ delivered: 6, 'late.delivered': 1 })),
        version: 3,
      },
    ]);
  });

  it('remove a late outcome whose count is below zero: its beginning was not counted as late', () => {
    const [begin, one] = hour(0, { delivered: 4, failed: -1, 'late.failed': -1 });
    const stored = new Map([[begin, { ...one, version: 3 }]]);
    expect(replacements(stored, new Map([hour(0, { delivered: 4 })]), span)).to.deep.equal([
      { hour: NOON, fields: new Map([['delivered', 4]]), version: 3 },
    ]);
  });
});
