import { expect } from 'chai';
import type { Part } from '../report/row.js';
import { type Caused, costParts, cpuRatio, cpuRatioByReceiver } from './cost-parts.js';

describe('parts of the cost', () => {
  const used = (name: string, cpuSeconds: number | null) => ({ name, cpuSeconds, peakBytes: null });
  const caused: Caused = {
    deliveries: 1_000,
    processes: [
      used('dispatcher', 2),
      used('generator', 5),
      used('receiver', 5),
      used('mongod', 1),
      used('kafka', 0.5),
    ],
    commands: { find: 1_000, update: 3_000, getMore: 500, count: 500 },
    requests: { Fetch: 500, Produce: 1_500 },
    messages: {
      'workspace.events': 1_500_000,
      'webhook.deliveries': 300_000,
      'webhook.deliveries.dlq': 100_000,
    },
    stored: { documents: 1_400, indexes: 150 },
    threads: new Map(),
  };
  const valuesOf = ({ figures }: Part) =>
    Object.fromEntries(
      figures.map(({ name, unit, value }) => [unit === '' ? name : `${name}, ${unit}`, value]),
    );
  const partsOf = (overrides: Partial<Caused> = {}) => costParts('100 a second', { ...caused, ...overrides });

  it('have a row each, so that rows of several loads share a table', () => {
    expect(partsOf().map(({ label }) => label)).to.deep.equal([
      '100 a second: MongoDB commands',
      '100 a second: Kafka requests',
      '100 a second: round trips',
      '100 a second: a million deliveries',
    ]);
  });

  it('count commands and requests for each delivery by name', () => {
    const [commands, requests] = partsOf();
    expect(valuesOf(commands!)).to.include({ find: 1, update: 3, insert: 0, others: 1 });
    expect(valuesOf(requests!)).to.include({ Fetch: 0.5, Produce: 1.5, others: 0 });
  });

  it('show the CPU of a round trip', () => {
    expect(valuesOf(partsOf()[2]!)).to.deep.equal({
      'for each delivery': 7,
      'dispatcher for one, µs': 2e6 / 7_000,
      'mongod for a command, µs': 200,
      'Kafka for a request, µs': 250,
    });
  });

  it('show the CPU and the bytes of a million deliveries, without generator and receiver', () => {
    expect(valuesOf(partsOf()[3]!)).to.deep.equal({
      'dispatcher, CPU s': 2_000,
      'mongod, CPU s': 1_000,
      'Kafka, CPU s': 500,
      'documents, GB': 1.4,
      'indexes, GB': 0.15,
      'workspace.events, GB': 1.5,
      'webhook.deliveries, GB': 0.3,
      'webhook.outcomes, GB': 0,
      'others, GB': 0.1,
    });
  });

  it('show the CPU of the threads of a server for each delivery, and for each command or request', () => {
    const threads = new Map([
      ['mongod', new Map(Object.entries({ all: 1e6, connections: 8e5 }))],
      ['kafka', new Map(Object.entries({ all: 5e5, compiler: 0 }))],
    ] as const);
    const shown = partsOf({ threads }).slice(4);
    expect(shown.map((part) => [part.label, valuesOf(part)])).to.deep.equal([
      ['100 a second: mongod for a delivery', { 'all, µs': 1_000, 'connections, µs': 800 }],
      ['100 a second: mongod for a command', { 'all, µs': 200, 'connections, µs': 160 }],
      ['100 a second: Kafka for a delivery', { 'all, µs': 500, 'compiler, µs': 0 }],
      ['100 a second: Kafka for a request', { 'all, µs': 250, 'compiler, µs': 0 }],
    ]);
    const idle = partsOf({ threads, commands: {} }).slice(4);
    expect(valuesOf(idle[1]!)).to.deep.equal({ 'all, µs': null, 'connections, µs': null });
  });

  it('show nothing that is unknown', () => {
    const elsewhere = partsOf({ messages: null, processes: [used('dispatcher', 2), used('mongod', null)] });
    expect(valuesOf(elsewhere[2]!)).to.include({
      'mongod for a command, µs': null,
      'Kafka for a request, µs': null,
    });
    expect(valuesOf(elsewhere[3]!)).to.include({
      'mongod, CPU s': null,
      'workspace.events, GB': null,
      'others, GB': null,
    });
  });

  it('compare the CPU of two loads for each delivery, without generator and receiver', () => {
    const other = {
      deliveries: 500,
      processes: [used('dispatcher', 1), used('mongod', 0.25), used('generator', 9)],
    };
    expect(cpuRatio(caused, other)).to.be.closeTo(3.5 / 2.5, 1e-9);
    expect(cpuRatio(caused, { deliveries: 0, processes: [] })).to.equal(null);
  });

  it('compare them in units of the receiver, whose CPU shows how fast the machine was', () => {
    const other = { deliveries: 1_000, processes: [used('dispatcher', 7), used('receiver', 10)] };
    expect(cpuRatioByReceiver(caused, other)).to.be.closeTo(1, 1e-9);
    expect(cpuRatioByReceiver(caused, { ...other, processes: [used('dispatcher', 7)] })).to.equal(null);
  });
});
