import type { DeliveryRecord } from './account/delivery-records.js';
import type { Row } from './report/row.js';

/** A row of one run without mismatches, for tests. */
export function aRow(overrides: Partial<Row> = {}): Row {
  return {
    label: '100 a second',
    figures: [{ name: 'p50', unit: 'ms', value: 10, goal: { atMost: 12 } }],
    cost: {
      deliveries: 1_000,
      processes: [
        { name: 'dispatcher', cpuSeconds: 0.2, peakBytes: 200e6 },
        { name: 'mongod', cpuSeconds: 0.1, peakBytes: 300e6 },
      ],
    },
    mismatches: [],
    ...overrides,
  };
}

/** A delivered delivery without arrivals, for tests. */
export function aRecord(overrides: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    group: 'quick',
    endpointId: 'whe_1',
    endpointDisabled: false,
    event: 0,
    createdAt: 0,
    arrivals: [],
    status: 'delivered',
    attempts: 1,
    attemptRows: 1,
    ...overrides,
  };
}
