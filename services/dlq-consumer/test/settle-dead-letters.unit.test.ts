import type { Delivery, DeliverySummary } from '@postrider/shared/domain/delivery';
import type { DeadLetterStore } from '@postrider/shared/ports/dead-letter';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { expect } from 'chai';
import { createSettleDeadLetters } from '../src/settle-dead-letters.js';
import { anEndpoint, anExhaustedDelivery, messageOf, OUTAGE } from './builders.js';

const NOW = new Date('2026-03-02T12:00:00.000Z');

describe('settleDeadLetters', () => {
  /** Settles on stored rows, in a transaction that runs `runs` more times. */
  async function settleOn(rows: readonly Delivery[], { runs = 1, announced = true, named = rows } = {}) {
    const decided: unknown[] = [];
    const logged: { event?: string; deliveryId?: string; announced?: boolean }[] = [];
    const endpoint = anEndpoint();
    const stored = {
      deliveries: new Map(rows.map((row) => [row.id, row])),
      endpoints: new Map([[endpoint.id, endpoint]]),
    };
    const store: DeadLetterStore = {
      async settle(_letters, decide) {
        for (let run = 0; run < runs; run += 1) decided.push(decide(stored));
        const settlements = decide(stored);
        const ids = new Set(settlements.flatMap((settlement) => settlement?.notification.id ?? []));
        return { settlements, records: announced ? [...ids].map((id) => ({ id }) as OutboxRecord) : [] };
      },
    };
    const note = (facts: object) => logged.push(facts);
    const log = { debug: note, info: note, warn: note, error: note };
    const ended: DeliverySummary[] = [];
    const onEnded = (deliveries: readonly DeliverySummary[]) => void ended.push(...deliveries);
    const results = await createSettleDeadLetters({ store, onEnded, clock: { now: () => NOW }, log })(
      named.map(messageOf),
    );
    return { decided, logged, results, ended };
  }

  it('ends a delivery at the time of the clock and logs it once, even if the transaction runs repeatedly', async () => {
    const { decided, logged } = await settleOn([anExhaustedDelivery()], { runs: 2 });
    expect(decided).to.have.length(2);
    expect(decided[0]).to.deep.equal(decided[1]);
    expect(decided[0]).to.have.nested.property('[0].attempt.attemptedAt', NOW);
    expect(logged.map(({ event }) => event)).to.deep.equal(['delivery.dead_lettered']);
    expect(logged[0]).to.have.property('announced', true);
  });

  it('returns the result of each message and logs which one announced the outage', async () => {
    const [one, other] = ['one', 'other'].map((name) => anExhaustedDelivery({ name })) as [
      Delivery,
      Delivery,
    ];
    const { results, logged, ended } = await settleOn([one, other], { named: [one, other, one] });
    expect(results).to.deep.equal(['dead_lettered', 'dead_lettered', 'skipped']);
    expect(logged.map(({ deliveryId, announced }) => [deliveryId, announced])).to.deep.equal([
      [one.id, true],
      [other.id, false],
      [one.id, undefined],
    ]);
    expect(ended.map(({ id, status }) => [id, status])).to.deep.equal([
      [one.id, 'dead_lettered'],
      [other.id, 'dead_lettered'],
    ]);
  });

  it('logs that the outage was announced before', async () => {
    const { logged } = await settleOn([anExhaustedDelivery()], { announced: false });
    expect(logged[0]).to.include({ event: 'delivery.dead_lettered', announced: false });
  });

  const ended = {
    ...anExhaustedDelivery(),
    status: 'dead_lettered',
    failureReason: 'retries_exhausted',
    nextAttemptAt: null,
    dueAt: null,
    failingSince: OUTAGE,
  } as const;
  for (const [what, rows] of [
    ['is missing', []],
    ['has ended', [ended]],
    ['has attempts left', [{ ...anExhaustedDelivery(), attempts: 6 }]],
  ] as const) {
    it(`skips a message when the delivery ${what}`, async () => {
      const { decided, logged, results } = await settleOn(rows, { named: [anExhaustedDelivery()] });
      expect(decided).to.deep.equal([[null]]);
      expect(results).to.deep.equal(['skipped']);
      expect(logged.map(({ event }) => event)).to.deep.equal(['delivery.not_dead_lettered']);
    });
  }
});
