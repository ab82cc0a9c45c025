import type { Delivery } from '@postrider/shared/domain/delivery';
import type { DeadLetterStore } from '@postrider/shared/ports/dead-letter';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { expect } from 'chai';
import { bury } from '../src/dead-letter.js';
import { anEndpoint, anExhaustedDelivery, messageOf } from './builders.js';

const NOW = new Date('2026-03-02T12:00:00.000Z');

describe('deadLettering', () => {
  /** Buries on stored rows, in a transaction that is run as often as told; tells what was logged. */
  async function buryOn(rows: readonly Delivery[], { runs = 1, announced = true, named = rows } = {}) {
    const decided: unknown[] = [];
    const logged: { event?: string; deliveryId?: string; announced?: boolean }[] = [];
    const endpoint = anEndpoint();
    const stored = {
      deliveries: new Map(rows.map((row) => [row.id, row])),
      endpoints: new Map([[endpoint.id, endpoint]]),
    };
    const store: DeadLetterStore = {
      async bury(_letters, decide) {
        for (let run = 0; run < runs; run += 1) decided.push(decide(stored));
        const burials = decide(stored);
        const ids = new Set(burials.flatMap((burial) => burial?.notification.id ?? []));
        return { burials, records: announced ? [...ids].map((id) => ({ id }) as OutboxRecord) : [] };
      },
    };
    const note = (facts: object) => logged.push(facts);
    const log = { debug: note, info: note, warn: note, error: note };
    const results = await bury({ store, clock: { now: () => NOW }, log })(named.map(messageOf));
    return { decided, logged, results };
  }

  it('dates the end by the clock and says so once, however often the transaction ran', async () => {
    const { decided, logged } = await buryOn([anExhaustedDelivery()], { runs: 2 });
    expect(decided).to.have.length(2);
    expect(decided[0]).to.deep.equal(decided[1]);
    expect(decided[0]).to.have.nested.property('[0].attempt.attemptedAt', NOW);
    expect(logged.map(({ event }) => event)).to.deep.equal(['delivery.dead_lettered']);
    expect(logged[0]).to.have.property('announced', true);
  });

  it('says what became of each, and which of them announced the outage', async () => {
    const [one, other] = ['one', 'other'].map((name) => anExhaustedDelivery({ name })) as [
      Delivery,
      Delivery,
    ];
    const { results, logged } = await buryOn([one, other], { named: [one, other, one] });
    expect(results).to.deep.equal(['dead_lettered', 'dead_lettered', 'left']);
    expect(logged.map(({ deliveryId, announced }) => [deliveryId, announced])).to.deep.equal([
      [one.id, true],
      [other.id, false],
      [one.id, undefined],
    ]);
  });

  it('says when the outage had been announced before', async () => {
    const { logged } = await buryOn([anExhaustedDelivery()], { announced: false });
    expect(logged[0]).to.include({ event: 'delivery.dead_lettered', announced: false });
  });

  for (const [what, rows] of [
    ['is gone', []],
    ['has ended', [{ ...anExhaustedDelivery(), status: 'dead_lettered' as const }]],
    ['has attempts left', [{ ...anExhaustedDelivery(), attempts: 6 }]],
  ] as const) {
    it(`claims no burial when the delivery ${what}`, async () => {
      const { decided, logged, results } = await buryOn(rows, { named: [anExhaustedDelivery()] });
      expect(decided).to.deep.equal([[null]]);
      expect(results).to.deep.equal(['left']);
      expect(logged.map(({ event }) => event)).to.deep.equal(['delivery.not_dead_lettered']);
    });
  }
});
