import { expect } from 'chai';
import { type CalledFor, calledDeliveries } from './called-deliveries.js';

interface StoredRow {
  readonly _id: string;
  readonly endpointId: string;
  readonly traceId: string;
}

/** The deliveries of a database, in the order of their identifiers. */
const storing = (...rows: StoredRow[]) => ({
  deliveries: {
    async *find({ endpointId: { $in: ids } }: { endpointId: { $in: string[] } }) {
      yield* rows.filter(({ endpointId }) => ids.includes(endpointId));
    },
  } as unknown as Parameters<typeof calledDeliveries>[1]['deliveries'],
});

describe('the deliveries that calls owe', () => {
  const call = (traceId: string): CalledFor => ({ traceId, madeAt: 5, endpointId: 'whe_1', group: 'told' });
  const row = (_id: string, traceId: string, endpointId = 'whe_1'): StoredRow => {
    return { _id, endpointId, traceId };
  };

  it('are the rows that carry their traces', async () => {
    const records = await calledDeliveries(
      [call('a'), call('b')],
      storing(row('whd_1', 'b'), row('whd_2', 'a'), row('whd_3', 'a', 'whe_2')),
    );
    expect([...records.keys()]).to.deep.equal(['whd_2', 'whd_1']);
    expect(records.get('whd_1')).to.deep.include({ group: 'told', endpointId: 'whe_1', madeAt: 5 });
  });

  it('are missed when a call has left no row', async () => {
    const records = await calledDeliveries([call('a')], storing());
    expect([...records.values()].map(({ status }) => status)).to.deep.equal([null]);
  });

  it('are one for each call: a second row belongs to nobody', async () => {
    const records = await calledDeliveries([call('a')], storing(row('whd_1', 'a'), row('whd_2', 'a')));
    expect([...records.keys()]).to.deep.equal(['whd_1']);
  });
});
