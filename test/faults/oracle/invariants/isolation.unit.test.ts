import { expect } from 'chai';
import type { Evidence } from '../evidence.js';
import { attempt, audit, evidence, post, row, SENT_AT, snapshot } from '../evidence-builders.js';
import { broken } from '../judged.js';

const STEADY = '/steady';
const MANY = Array.from({ length: 120 }, (_, index) => index);
const at = (index: number) => SENT_AT + index * 1_000;

/** Events one second apart: calm, then the fault from the 60th to the 100th. */
function run(latencyOf: (index: number) => number, events: readonly number[] = MANY): Evidence {
  return evidence({
    events: events.map((index) => ({ tokenId: `tok_${index}`, sentAt: at(index), answeredAt: at(index) })),
    received: events.map((index) =>
      post({
        deliveryId: `whd_${index}`,
        at: at(index) + latencyOf(index),
        said: { deliveryId: `whd_${index}`, tokenId: `tok_${index}` },
      }),
    ),
    now: snapshot({
      at: at(200),
      rows: events.map((index) => row({ id: `whd_${index}`, tokenId: `tok_${index}` })),
      attempts: events.map((index) => attempt({ deliveryId: `whd_${index}` })),
      audits: events.map((index) => audit({ targetId: `tok_${index}` })),
    }),
    circumstances: { faultBegan: at(60), faultEnded: at(100), healthy: new Set([STEADY]) },
  });
}

const from60 = (calm: number, during: number) => (index: number) => (index < 60 ? calm : during);

describe('the oracle on illness that spreads (I9)', () => {
  it('sees that healthy endpoints became slow when others fell ill', () => {
    expect(broken(run(from60(20, 900)))).to.deep.equal(['I9']);
    expect(broken(run(from60(20, 120)))).to.deep.equal(['I9']);
    expect(broken(run(from60(60, 125)))).to.deep.equal(['I9']);
  });

  it('is silent while they are at most twice as slow, or as fast as can be measured', () => {
    expect(broken(run(from60(20, 20)))).to.deep.equal([]);
    expect(broken(run(from60(20, 95)))).to.deep.equal([]);
    expect(broken(run(from60(60, 115)))).to.deep.equal([]);
  });

  // Taking its evidence apart, the oracle kept the receiver from noting what came in: it found itself.
  it('leaves out what was sent while it looked itself', () => {
    const slowAt = (index: number) => (index === 70 || index === 71 ? 900 : 20);
    const looks = [{ from: at(70) + 100, to: at(71) + 500 }];
    expect(broken(run(slowAt))).to.deep.equal(['I9']);
    expect(broken({ ...run(slowAt), looks })).to.deep.equal([]);
    expect(broken({ ...run(from60(20, 900)), looks })).to.deep.equal(['I9']);
  });

  it('says so when there was too little to compare', () => {
    const without = (isLeftOut: (index: number) => boolean) =>
      broken(
        run(
          from60(20, 20),
          MANY.filter((index) => !isLeftOut(index)),
        ),
      );
    expect(without((index) => index < 20)).to.deep.equal(['I9']);
    expect(without((index) => index >= 80)).to.deep.equal(['I9']);
  });
});
