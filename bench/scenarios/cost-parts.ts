import type { DatabaseBytes } from '../environment/database-bytes.js';
import { type Counts, totalOf } from '../measure/counts.js';
import { cpuMicrosEach } from '../measure/cpu.js';
import type { Consumption } from '../processes/meter.js';
import type { ServerThreads } from '../processes/server-threads.js';
import type { Cost, Figure, Part } from '../report/row.js';

const COMMANDS = ['find', 'aggregate', 'insert', 'update', 'delete', 'findAndModify', 'commitTransaction'];
const REQUESTS = ['Fetch', 'Produce', 'OffsetCommit', 'Heartbeat'];
const TOPICS = ['workspace.events', 'webhook.deliveries', 'webhook.outcomes'];

/** The parts of an installation, which excludes the generator and the receiver. */
const STACK = [
  { name: 'dispatcher', shown: 'dispatcher' },
  { name: 'mongod', shown: 'mongod' },
  { name: 'kafka', shown: 'Kafka' },
];

/** The work and data caused by a number of deliveries. */
export interface Caused extends Cost {
  readonly commands: Counts;
  readonly requests: Counts;
  /** Bytes of messages by topic; null if they are unknown. */
  readonly messages: Counts | null;
  /** The space that one delivery takes in the database. */
  readonly stored: DatabaseBytes;
  readonly threads: ServerThreads;
}

export function costParts(label: string, caused: Caused): Part[] {
  const { commands, requests, deliveries } = caused;
  const counts = { unit: '', of: (count: number) => count / deliveries };
  return [
    { label: `${label}: MongoDB commands`, figures: figuresOf(commands, COMMANDS, counts) },
    { label: `${label}: Kafka requests`, figures: figuresOf(requests, REQUESTS, counts) },
    { label: `${label}: round trips`, figures: roundTripFigures(caused) },
    {
      label: `${label}: a million deliveries`,
      figures: [...millionCpuFigures(caused), ...millionDiskFigures(caused)],
    },
    ...threadParts(label, caused),
  ];
}

/** The CPU of one load relative to that of another, for each delivery. Null if either is unknown. */
export function cpuRatio(cost: Cost, other: Cost): number | null {
  return ratio(stackCpu(cost), stackCpu(other));
}

/**
 * The same in units of the receiver's CPU. A receiver does the same for each delivery, so its CPU shows how fast the machine was
 * meanwhile.
 */
export function cpuRatioByReceiver(cost: Cost, other: Cost): number | null {
  return ratio(cpuRatio(cost, other), ratio(receiverCpu(cost), receiverCpu(other)));
}

function ratio(value: number | null, unit: number | null): number | null {
  return value && unit ? value / unit : null;
}

const stackCpu = ({ processes, deliveries }: Cost) =>
  cpuMicrosEach(
    processes.filter(({ name }) => STACK.some((one) => one.name === name)),
    deliveries,
  );

const receiverCpu = ({ processes, deliveries }: Cost) =>
  cpuMicrosEach(named(processes, 'receiver'), deliveries);

/** A command or a request is a round trip. */
function roundTripFigures({ processes, commands, requests, deliveries }: Caused): Figure[] {
  const [toDatabase, toBroker] = [totalOf(commands), totalOf(requests)];
  const micros = (name: string, process: string, count: number): Figure => ({
    name,
    unit: 'µs',
    value: cpuMicrosEach(named(processes, process), count),
  });
  return [
    { name: 'for each delivery', unit: '', value: (toDatabase + toBroker) / deliveries },
    micros('dispatcher for one', 'dispatcher', toDatabase + toBroker),
    micros('mongod for a command', 'mongod', toDatabase),
    micros('Kafka for a request', 'kafka', toBroker),
  ];
}

function millionCpuFigures({ processes, deliveries }: Caused): Figure[] {
  return STACK.map(({ name, shown }) => ({
    name: shown,
    unit: 'CPU s',
    value: cpuMicrosEach(named(processes, name), deliveries),
  }));
}

/** The threads of each server, for each delivery and for each of its round trips. */
function threadParts(label: string, { threads, commands, requests, deliveries }: Caused): Part[] {
  const delivery = { one: 'delivery', count: deliveries };
  const roundTrips = [
    { server: 'mongod', shown: 'mongod', one: 'command', count: totalOf(commands) },
    { server: 'kafka', shown: 'Kafka', one: 'request', count: totalOf(requests) },
  ] as const;
  return roundTrips.flatMap(({ server, shown, ...roundTrip }) => {
    const times = threads.get(server);
    if (times === undefined) return [];
    return [delivery, roundTrip].map(({ one, count }) => ({
      label: `${label}: ${shown} for a ${one}`,
      figures: Array.from(times, ([name, micros]) => {
        return { name, unit: 'µs', value: count === 0 ? null : micros / count };
      }),
    }));
  });
}

/** Bytes for one delivery are megabytes for a million. */
function millionDiskFigures({ messages, stored, deliveries }: Caused): Figure[] {
  const gigabytes = { unit: 'GB', of: (bytes: number) => bytes / deliveries / 1_000 };
  return [
    { name: 'documents', unit: 'GB', value: stored.documents / 1_000 },
    { name: 'indexes', unit: 'GB', value: stored.indexes / 1_000 },
    ...figuresOf(messages, TOPICS, gigabytes),
  ];
}

function named(processes: readonly Consumption[], name: string): Consumption[] {
  return processes.filter((process) => process.name === name);
}

interface Scale {
  readonly unit: string;
  readonly of: (count: number) => number;
}

/** One figure for each of these names, and one for all others. */
function figuresOf(counts: Counts | null, names: readonly string[], { unit, of }: Scale): Figure[] {
  const others = Object.entries(counts ?? {}).filter(([name]) => !names.includes(name));
  const shown = [
    ...names.map((name) => [name, counts?.[name] ?? 0] as const),
    ['others', totalOf(Object.fromEntries(others))] as const,
  ];
  return shown.map(([name, count]) => ({ name, unit, value: counts && of(count) }));
}
