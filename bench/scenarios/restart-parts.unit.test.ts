import { expect } from 'chai';
import type { DeliveryRecord } from '../account/delivery-record.js';
import { numbered, partOf } from './restart-parts.js';

describe('what a restart did', () => {
  const delivery = (madeAt: number, ...arrivals: number[]): DeliveryRecord => ({
    group: 'quick',
    endpointId: 'whe_1',
    endpointDisabled: false,
    event: 0,
    madeAt,
    arrivals,
    status: 'delivered',
    attempts: 1,
    attemptRows: 1,
  });
  const figuresOf = (...deliveries: DeliveryRecord[]) => {
    const restart = { label: 'api 1', span: { from: 1_000, to: 2_000 }, stopMs: 120 };
    const { label, figures } = partOf(restart, deliveries, 4);
    expect(label).to.equal('api 1');
    return Object.fromEntries(figures.map(({ name, value }) => [name, value]));
  };

  it('is nothing where deliveries arrive as they should', () => {
    const steady = [1_000, 1_250, 1_500, 1_750].map((at) => delivery(at - 5, at));
    expect(figuresOf(...steady)).to.deep.equal({
      'longest gap': 250,
      'throughput lost': 0,
      'longest wait': 5,
      'stopped after': 120,
      'POSTs made twice': 0,
    });
  });

  it('is a gap, and what waited through it', () => {
    const late = [delivery(1_000, 1_001), delivery(1_250, 1_900), delivery(1_500, 1_901)];
    expect(figuresOf(...late)).to.include({
      'longest gap': 899,
      'throughput lost': 0.5,
      'longest wait': 650,
    });
  });

  it('is what was POSTed again in its time, which fills no gap', () => {
    const again = [delivery(1_000, 1_000, 1_500), delivery(900, 900, 2_500), delivery(1_300, 1_900)];
    expect(figuresOf(...again)).to.include({ 'longest gap': 900, 'POSTs made twice': 1 });
  });

  it('is told process by process', () => {
    expect(numbered(['dispatcher', 'api', 'api', 'dispatcher', 'janitor'])).to.deep.equal([
      'dispatcher 1',
      'api 1',
      'api 2',
      'dispatcher 2',
      'janitor',
    ]);
  });
});
