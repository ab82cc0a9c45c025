import { asId, deliveryIdOf } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import type { PlacedEndpoint } from '../environment/population.js';
import { eventIdOf } from '../generator/make-event.js';
import { type ApiCall, deliveriesOfCalls, deliveriesOfEvents, recordArrivals } from './delivery-records.js';

describe('deliveries expected of events', () => {
  const SEED = 3;
  const endpoint = (id: string, workspace: number) =>
    ({ endpoint: { id }, group: { name: `g${workspace}` }, workspace }) as PlacedEndpoint;
  const endpoints = [endpoint('whe_a', 0), endpoint('whe_b', 0), endpoint('whe_c', 1)];
  const events = [
    { occurredAt: 1_000, createdAt: 50.5, workspace: 0 },
    { occurredAt: 1_000, createdAt: 50.7, workspace: 1 },
    { occurredAt: 2_000, createdAt: 90, workspace: 0 },
  ];
  const idOf = (number: number, endpointId: string) => {
    const occurredAt = new Date(events[number]!.occurredAt);
    return deliveryIdOf(
      { eventId: eventIdOf({ seed: SEED, number, occurredAt }), occurredAt },
      asId('endpoint', endpointId),
    );
  };

  it('are one for each event and endpoint of its workspace', () => {
    const records = deliveriesOfEvents(events, endpoints, SEED);
    expect([...records.keys()]).to.have.members([
      idOf(0, 'whe_a'),
      idOf(0, 'whe_b'),
      idOf(1, 'whe_c'),
      idOf(2, 'whe_a'),
      idOf(2, 'whe_b'),
    ]);
    expect(records.get(idOf(1, 'whe_c'))).to.include({
      group: 'g1',
      event: 1,
      createdAt: 50.7,
      status: null,
    });
  });

  it('collect their POSTs; other POSTs are counted as unexpected', () => {
    const records = deliveriesOfEvents(events, endpoints, SEED);
    const id = idOf(2, 'whe_b');
    const arrivals = [
      { id, at: 95 },
      { id: 'whd_other', at: 96 },
      { id, at: 97 },
    ];
    expect(recordArrivals(records, arrivals)).to.equal(1);
    expect(records.get(id)?.arrivals).to.deep.equal([95, 97]);
  });
});

describe('deliveries expected of API calls', () => {
  const row = (_id: string, traceId: string, endpointId = 'whe_1') => ({ _id, endpointId, traceId });
  const expectedOf = (traceIds: string[], rows: ReturnType<typeof row>[]) => {
    const calls: ApiCall[] = traceIds.map((traceId) => {
      return { traceId, createdAt: 5, endpointId: 'whe_1', group: 'api' };
    });
    const deliveries = {
      async *find({ endpointId: { $in: ids } }: { endpointId: { $in: string[] } }) {
        yield* rows.filter(({ endpointId }) => ids.includes(endpointId));
      },
    };
    return deliveriesOfCalls(calls, { deliveries } as never);
  };

  it('are the rows with the trace ids of the calls', async () => {
    const rows = [row('whd_1', 'b'), row('whd_2', 'a'), row('whd_3', 'a', 'whe_2')];
    const records = await expectedOf(['a', 'b'], rows);
    expect([...records.keys()]).to.deep.equal(['whd_2', 'whd_1']);
    expect(records.get('whd_1')).to.deep.include({ group: 'api', endpointId: 'whe_1', createdAt: 5 });
  });

  it('have no status if the call left no row', async () => {
    expect([...(await expectedOf(['a'], [])).values()].map(({ status }) => status)).to.deep.equal([null]);
  });

  it('include only the first of two rows of one call', async () => {
    const records = await expectedOf(['a'], [row('whd_1', 'a'), row('whd_2', 'a')]);
    expect([...records.keys()]).to.deep.equal(['whd_1']);
  });
});
