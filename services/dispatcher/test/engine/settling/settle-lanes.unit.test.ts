import { idFor } from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { createSettleLanes } from '../../../src/engine/settling/settle-lanes.js';
import { EVEN, entries, ODD } from './a-settler.js';

/** Lanes in which observations whose delivery is named `failure` need a transaction. */
function someLanes(lanes: number) {
  return createSettleLanes({
    lanes,
    isAlone: ({ observation }) => !observation.deliveryId.startsWith('failure'),
    createPacer: () => async () => undefined,
  });
}

describe('settle lanes', () => {
  it('let a failure wait until all earlier observations of its endpoint have ended, behind those of others', () => {
    const lanes = someLanes(1);
    const [first, second] = entries(2, EVEN, 'success');
    const alone = lanes.add(first!);
    expect(lanes.add(second!)).to.equal(alone);
    const [failure] = entries(1, EVEN, 'failure');
    const [later] = entries(1, EVEN, 'later');
    const [ofOther] = entries(1, ODD, 'failure of another');
    expect([lanes.add(failure!), lanes.add(later!)]).to.deep.equal([null, null]);
    const together = lanes.add(ofOther!);
    expect(lanes.ended(first!)).to.equal(null);
    const [last] = entries(1, EVEN, 'last');
    expect(lanes.add(last!)).to.equal(null);
    expect(lanes.ended(second!)).to.equal(together);
    expect(together?.pending).to.deep.equal([ofOther, failure, later, last]);
    expect(alone?.pending).to.deep.equal([first, second]);
  });

  it('keep an endpoint in the lane of its failures until these have ended', () => {
    const lanes = someLanes(1);
    const [success] = entries(1, EVEN, 'success');
    const alone = lanes.add(success!);
    const failures = entries(2, EVEN, 'failure');
    for (const failure of failures) lanes.add(failure);
    const together = lanes.ended(success!);
    expect(lanes.ended(failures[0]!)).to.equal(null);
    const [later] = entries(1, EVEN, 'later');
    expect(lanes.add(later!)).to.equal(together);
    for (const entry of [failures[1]!, later!]) expect(lanes.ended(entry)).to.equal(null);
    expect(lanes.add(entries(1, EVEN, 'last')[0]!)).to.equal(alone);
  });

  it('divide endpoints among themselves, whatever their identifiers end with', () => {
    const lanes = someLanes(3);
    const ids = Array.from({ length: 60 }, (_, index) => idFor('endpoint', `${index}`));
    const used = new Set(ids.map((endpointId) => lanes.add(entries(1, endpointId, 'success')[0]!)));
    expect(used.size).to.equal(3);
  });
});
