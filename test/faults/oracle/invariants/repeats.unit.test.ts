import { expect } from 'chai';
import { post, SENT_AT, snapshot, violated, violatedAtEnd } from '../builders.js';
import type { Conditions } from '../evidence.js';

const exit = (afterMs: number) => ({ at: SENT_AT + afterMs, kind: 'exit' }) as const;
const reassignment = (afterMs: number) => ({ at: SENT_AT + afterMs, kind: 'reassignment' }) as const;
const twice = [post(), post({ at: SENT_AT + 10_000 })];

describe('oracle, I8: repeated POSTs', () => {
  const violatedWith = (conditions: Partial<Conditions>, received = twice) =>
    violatedAtEnd({ received, conditions });

  it('reports a repeat without any disruption', () => {
    expect(violatedWith({})).to.deep.equal(['I8']);
  });

  it('accepts a repeat if a dispatcher ended before the record, or lost partitions about then', () => {
    for (const disruption of [exit(60), exit(20_000), reassignment(-5_000)])
      expect(violatedWith({ disruptions: [disruption] })).to.deep.equal([]);
  });

  it('reports a repeat if all disruptions were before the POST, or long after it', () => {
    for (const disruption of [exit(-5_000), reassignment(-16_000), exit(45_000)])
      expect(violatedWith({ disruptions: [disruption] })).to.deep.equal(['I8']);
    expect(violatedWith({ disruptions: [exit(45_000)], outage: 'database' })).to.deep.equal([]);
  });

  it('reports more repeats than the dispatchers can have had unrecorded', () => {
    const many = Array.from({ length: 6 }, (_, index) => post({ at: SENT_AT + index }));
    expect(violatedWith({ disruptions: [exit(10)], maxUnrecorded: 4 }, many)).to.deep.equal(['I8']);
    expect(violatedWith({ disruptions: [exit(10)], maxUnrecorded: 5 }, many)).to.deep.equal([]);
  });

  it('requires an explanation for each repeat of a delivery', () => {
    const thrice = [post(), post({ at: SENT_AT + 45_000 }), post({ at: SENT_AT + 45_100 })];
    expect(violatedWith({ disruptions: [exit(60)] }, thrice)).to.deep.equal(['I8']);
  });

  it('reports a repeat during the run once it must have been recorded', () => {
    const violatedAfter = (ms: number, conditions: Partial<Conditions> = {}) =>
      violated({ received: twice, now: snapshot({ at: SENT_AT + ms }), conditions });
    expect(violatedAfter(40_000)).to.deep.equal([]);
    expect(violatedAfter(50_000)).to.deep.equal(['I8']);
    expect(violatedAfter(50_000, { outage: 'database', faultBegan: SENT_AT })).to.deep.equal([]);
  });
});
