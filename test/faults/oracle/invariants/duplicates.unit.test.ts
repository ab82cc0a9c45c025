import { expect } from 'chai';
import type { Circumstances } from '../evidence.js';
import { evidence, post, SENT_AT, snapshot } from '../evidence-builders.js';
import { broken, brokenNow } from '../judged.js';

const death = (at: number) => ({ at, kind: 'death' }) as const;
const move = (at: number) => ({ at, kind: 'move' }) as const;
const twice = [post(), post({ at: SENT_AT + 10_000 })];

describe('the oracle on repeated POSTs (I8)', () => {
  const judged = (circumstances: Partial<Circumstances>, received = twice) =>
    broken(evidence({ received, circumstances }));

  it('sees one that nothing explains', () => {
    expect(judged({})).to.deep.equal(['I8']);
  });

  it('takes a death between its being sent and its being recorded, or a move about then, as an explanation', () => {
    expect(judged({ disruptions: [death(SENT_AT + 60)] })).to.deep.equal([]);
    expect(judged({ disruptions: [death(SENT_AT + 20_000)] })).to.deep.equal([]);
    expect(judged({ disruptions: [move(SENT_AT - 5_000)] })).to.deep.equal([]);
  });

  it('takes nothing that was before, or long after, as an explanation', () => {
    expect(judged({ disruptions: [death(SENT_AT - 5_000)] })).to.deep.equal(['I8']);
    expect(judged({ disruptions: [move(SENT_AT - 16_000)] })).to.deep.equal(['I8']);
    expect(judged({ disruptions: [death(SENT_AT + 45_000)] })).to.deep.equal(['I8']);
    expect(judged({ disruptions: [death(SENT_AT + 45_000)], outage: 'database' })).to.deep.equal([]);
  });

  it('sees more of them than dispatchers can have had open', () => {
    const many = Array.from({ length: 6 }, (_, index) => post({ at: SENT_AT + index }));
    const disruptions = [death(SENT_AT + 10)];
    expect(judged({ disruptions, mostOpen: 4 }, many)).to.deep.equal(['I8']);
    expect(judged({ disruptions, mostOpen: 5 }, many)).to.deep.equal([]);
  });

  it('explains each by itself: one that could not be recorded does not excuse others', () => {
    const thrice = [post(), post({ at: SENT_AT + 45_000 }), post({ at: SENT_AT + 45_100 })];
    expect(judged({ disruptions: [death(SENT_AT + 60)] }, thrice)).to.deep.equal(['I8']);
  });

  it('sees them while the system works, once they must have been recorded', () => {
    const look = (at: number, circumstances: Partial<Circumstances> = {}) =>
      brokenNow(evidence({ received: twice, now: snapshot({ at }), circumstances }));
    expect(look(SENT_AT + 40_000)).to.deep.equal([]);
    expect(look(SENT_AT + 50_000)).to.deep.equal(['I8']);
    expect(look(SENT_AT + 50_000, { outage: 'database', faultBegan: SENT_AT })).to.deep.equal([]);
  });
});
