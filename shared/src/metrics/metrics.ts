import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { METRICS, type MetricName } from './catalog.js';
import type { ServiceName } from './declare.js';

type NameOf<Kind> = {
  [Name in MetricName]: (typeof METRICS)[Name]['kind'] extends Kind ? Name : never;
}[MetricName];
type LabelOf<Name extends MetricName> = (typeof METRICS)[Name]['labels'][number];

/** A value of a gauge and the labels that it has. */
export interface Reading<Label extends string> {
  readonly labels: Readonly<Record<Label, string>>;
  readonly value: number;
}

/** Looks at something when somebody asks. Null, or no reading, when nothing is known: then nothing is told. */
type Read<Label extends string> = [Label] extends [never]
  ? () => Promise<number | null> | number | null
  : () => Promise<readonly Reading<Label>[]> | readonly Reading<Label>[];

/** The metrics of one process, by the names that are declared. */
export interface Metrics {
  counter<Name extends NameOf<'counter'>>(name: Name): Counter<LabelOf<Name>>;
  histogram<Name extends NameOf<'histogram'>>(name: Name): Histogram<LabelOf<Name>>;
  /** A gauge is looked at when somebody asks, and never in between. A look that fails leaves the gauge out. */
  gauge<Name extends NameOf<'gauge'>>(name: Name, read: Read<LabelOf<Name>>): void;
  readonly contentType: string;
  /** The whole of it, in the text format of Prometheus. */
  text(): Promise<string>;
}

/** The metrics of a process, with those of Node itself: event loop, memory, garbage collection. */
export function createMetrics(service: ServiceName, version: string): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const metrics: Metrics = {
    counter: (name) => new Counter({ ...describe(name), registers: [registry] }),
    histogram: (name) => {
      const buckets = [...METRICS[name].buckets];
      return new Histogram({ ...describe(name), buckets, registers: [registry] });
    },
    gauge: (name, read) => {
      new Gauge({ ...describe(name), registers: [registry], collect: collectFrom(read) });
    },
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
  metrics.gauge('postrider_build_info', () => [{ labels: { service: service, version }, value: 1 }]);
  return metrics;
}

function describe<Name extends MetricName>(name: Name) {
  const { help, labels } = METRICS[name];
  return { name, help, labelNames: [...labels] as LabelOf<Name>[] };
}

async function attempt<Label extends string>(
  read: Read<Label>,
): Promise<number | readonly Reading<Label>[] | null> {
  return read();
}

function collectFrom<Label extends string>(read: Read<Label>) {
  return async function collect(this: Gauge<Label>): Promise<void> {
    this.reset();
    // Without labels a reset leaves a 0, and that would be a lie about what is not known.
    this.remove({} as Record<Label, string>);
    const found = await attempt(read).catch(() => null);
    if (typeof found === 'number') this.set(found);
    else for (const { labels, value } of found ?? []) this.set(labels, value);
  };
}
