import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type MetricName } from './catalog.js';
import type { ProcessName } from './declare.js';
import { registerEventLoopLag } from './event-loop-lag.js';

type NameOf<Kind> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];

/** A labelled value of a gauge. */
export interface Reading<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** Reads a gauge's value at a scrape. Null, or no reading, exports no value. */
type Read<Label extends string> = [Label] extends [never]
  ? () => Promise<number | null> | number | null
  : () => Promise<readonly Reading<Label>[]> | readonly Reading<Label>[];

/** The metrics of one process, by their declared names. Services that share the process may register the same ones. */
export interface Metrics {
  counter<Name extends NameOf<'counter'>>(name: Name): Counter<LabelOf<Name>>;
  histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<LabelOf<Name>>;
  /** Registers a gauge that is read at each scrape. A failed read exports no value. */
  gauge<Name extends NameOf<'gauge'>>(name: Name, read: Read<LabelOf<Name>>): void;
  readonly contentType: string;
  /** All metrics in the text format of Prometheus. */
  text(): Promise<string>;
}

/** The default measurement of the event loop wakes an idle process a hundred times a second; ours replaces it. */
const NEVER_MS = 2 ** 31 - 1;

/** Creates the metrics of a process, including Node's: event loop, memory, garbage collection. */
export function createMetrics(service: ProcessName, version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS });
  registerEventLoopLag(registry);
  const registered = new Map<MetricName, unknown>();
  const once = <Metric>(name: MetricName, create: () => Metric): Metric => {
    const metric = (registered.get(name) as Metric | undefined) ?? create();
    registered.set(name, metric);
    return metric;
  };
  const metrics: Metrics = {
    counter: (name) => once(name, () => new Counter({ ...describe(name), registers: [registry] })),
    histogram: (name) =>
      once(name, () => {
        const buckets = [...METRICS[name].buckets];
        return new Histogram({ ...describe(name), buckets, registers: [registry] });
      }),
    gauge<Name extends NameOf<'gauge'>>(name: Name, read: Read<LabelOf<Name>>) {
      const reads = once(name, () => {
        const all: Read<LabelOf<Name>>[] = [];
        new Gauge({ ...describe(name), registers: [registry], collect: collectFrom(all) });
        return all;
      });
      reads.push(read);
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
  metrics.gauge('postrider_build_info', () => [{ labels: { service, version }, value: 1 }]);
  return metrics;
}

function describe<Name extends MetricName>(name: Name) {
  const { help, labels } = METRICS[name];
  return { name, help, labelNames: [...labels] as LabelOf<Name>[] };
}

async function readAsync<Label extends string>(
  read: Read<Label>,
): Promise<number | readonly Reading<Label>[] | null> {
  return read();
}

/**
 * After a read that took this long, in milliseconds, no further read of the gauge starts: the services of a process read from
 * the same servers, and Prometheus waits for 10 s.
 */
const LONG_READ_MS = 1_500;

/** Without labels the first known value is used, with labels the readings of all. */
function collectFrom<Label extends string>(reads: readonly Read<Label>[]) {
  return async function collect(this: Gauge<Label>): Promise<void> {
    this.reset();
    // Without labels a reset leaves a 0, which would be wrong for an unknown value.
    this.remove({} as Record<Label, string>);
    const until = performance.now() + LONG_READ_MS;
    for (const read of reads) {
      if (performance.now() > until) return;
      const value = await readAsync(read).catch(() => null);
      if (typeof value === 'number') return this.set(value);
      for (const reading of value ?? []) this.set(reading.labels, reading.value);
    }
  };
}
