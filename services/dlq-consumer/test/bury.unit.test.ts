import type { Situation } from '@postrider/shared/domain/settle';
import type { BurialStore } from '@postrider/shared/ports/burial';
import type { OutboxRecord } from '@postrider/shared/ports/outbox';
import { expect } from 'chai';
import { bury } from '../src/bury.js';
import { anEndpoint, anExhaustedDelivery, messageOf } from './builders.js';

const NOW = new Date('2026-03-02T12:00:00.000Z');

describe('burying', () => {
  /** Buries on a stored situation, whose transaction is run as often as told; tells what was logged. */
  async function buryOn(situation: Situation, { runs = 1, announced = true } = {}) {
    const decided: unknown[] = [];
    const logged: { event?: string; announced?: boolean }[] = [];
    const store: BurialStore = {
      async bury(_ids, decide) {
        for (let run = 0; run < runs; run += 1) decided.push(decide(situation));
        return announced ? [{ id: 'ntf_1' } as OutboxRecord] : [];
      },
    };
    const note = (facts: object) => logged.push(facts);
    const log = { debug: note, info: note, warn: note, error: note };
    await bury({ store, clock: { now: () => NOW }, log })(messageOf(anExhaustedDelivery()));
    return { decided, logged };
  }

  it('dates the end by the clock and says so once, however often the transaction ran', async () => {
    const situation = { delivery: anExhaustedDelivery(), endpoint: anEndpoint() };
    const { decided, logged } = await buryOn(situation, { runs: 2 });
    expect(decided).to.have.length(2);
    expect(decided[0]).to.deep.equal(decided[1]);
    expect(decided[0]).to.have.nested.property('attempt.attemptedAt', NOW);
    expect(logged.map(({ event }) => event)).to.deep.equal(['delivery.dead_lettered']);
    expect(logged[0]).to.have.property('announced', true);
  });

  it('says when the outage had been announced before', async () => {
    const { logged } = await buryOn(
      { delivery: anExhaustedDelivery(), endpoint: anEndpoint() },
      { announced: false },
    );
    expect(logged[0]).to.include({ event: 'delivery.dead_lettered', announced: false });
  });

  for (const [what, delivery] of [
    ['is gone', null],
    ['has ended', { ...anExhaustedDelivery(), status: 'dead_lettered' as const }],
    ['has attempts left', { ...anExhaustedDelivery(), attempts: 6 }],
  ] as const) {
    it(`claims no burial when the delivery ${what}`, async () => {
      const { decided, logged } = await buryOn({ delivery, endpoint: anEndpoint() }, { announced: false });
      expect(decided).to.deep.equal([null]);
      expect(logged.map(({ event }) => event)).to.deep.equal(['delivery.not_buried']);
    });
  }
});
