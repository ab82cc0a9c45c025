import { deliveryIdOf } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import { eventIdOf } from '../generator/make-event.js';
import type { Population } from '../world/population.js';
import { noteArrivals, owedDeliveries } from './delivery-record.js';

describe('the deliveries that are owed', () => {
  const SEED = 3;
  const endpoint = (id: string, workspace: number) => ({
    endpoint: { id },
    group: `g${workspace}`,
    workspace,
  });
  const population = {
    workspaces: [],
    endpoints: [endpoint('whe_a', 0), endpoint('whe_b', 0), endpoint('whe_c', 1)],
  } as unknown as Population;
  const events = [
    { occurredAt: 1_000, madeAt: 50.5, workspace: 0 },
    { occurredAt: 1_000, madeAt: 50.7, workspace: 1 },
    { occurredAt: 2_000, madeAt: 90, workspace: 0 },
  ];
  const idOf = (number: number, endpointId: string) => {
    const occurredAt = new Date(events[number]!.occurredAt);
    return deliveryIdOf({ eventId: eventIdOf({ seed: SEED, number, occurredAt }), occurredAt }, endpointId);
  };

  it('are those of each event for each endpoint of its workspace', () => {
    const records = owedDeliveries(events, population, SEED);
    expect([...records.keys()]).to.have.members([
      idOf(0, 'whe_a'),
      idOf(0, 'whe_b'),
      idOf(1, 'whe_c'),
      idOf(2, 'whe_a'),
      idOf(2, 'whe_b'),
    ]);
    expect(records.get(idOf(1, 'whe_c'))).to.include({ group: 'g1', event: 1, madeAt: 50.7, status: null });
  });

  it('note when they arrived, and count what does not belong to them', () => {
    const records = owedDeliveries(events, population, SEED);
    const id = idOf(2, 'whe_b');
    expect(
      noteArrivals(records, [
        { id, at: 95 },
        { id: 'whd_other', at: 96 },
        { id, at: 97 },
      ]),
    ).to.equal(1);
    expect(records.get(id)?.arrivals).to.deep.equal([95, 97]);
  });
});
