/** The processes that export metrics. */
const SERVICE_NAMES = ['api', 'dispatcher', 'dlq-consumer', 'janitor'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
/** `all` is a process that runs several services. */
export type ProcessName = ServiceName | 'all';

/** The declaration of a metric. Its name is its key in the catalog. */
export interface Declared<Kind extends string, Label extends string> {
  readonly kind: Kind;
  readonly help: string;
  readonly from: readonly ServiceName[];
  /** Label names. Their values come from closed sets, never from identifiers of workspaces or deliveries. */
  readonly labels: readonly Label[];
  /** Upper bounds of a histogram, ascending. */
  readonly buckets: readonly number[];
}

interface Facts<Label extends string> {
  readonly help: string;
  readonly from: readonly ServiceName[];
  readonly labels?: readonly Label[];
}

export function counter<const Label extends string = never>(facts: Facts<Label>) {
  return declared('counter', facts);
}

export function gauge<const Label extends string = never>(facts: Facts<Label>) {
  return declared('gauge', facts);
}

export function histogram<const Label extends string = never>(
  facts: Facts<Label> & { readonly buckets: readonly number[] },
) {
  return { ...declared('histogram', facts), buckets: facts.buckets };
}

function declared<const Kind extends string, Label extends string>(
  kind: Kind,
  { help, from, labels = [] }: Facts<Label>,
): Declared<Kind, Label> {
  return { kind, help, from, labels, buckets: [] };
}

/** Buckets for durations from milliseconds to ten seconds. */
export const LATENCY_S = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;
/** Buckets for delays of seconds, minutes or hours. Quantiles are exact only at them: the target of KEDA has to be one. */
export const LATENESS_S = [0.01, 0.05, 0.1, 0.25, 1, 5, 15, 30, 60, 120, 300, 600, 3_600] as const;
/** Buckets for batch sizes. */
export const BATCH = [1, 2, 5, 10, 25, 50, 75, 100] as const;
