import { rm } from 'node:fs/promises';
import type { Records } from '../account/delivery-records.js';
import { type Account, reconcile } from '../account/reconcile.js';
import type { Consumption } from '../processes/meter.js';
import { countWarnings } from '../processes/service-log.js';
import type { Figure, Part, Row } from '../report/row.js';
import { type Context, measureRows } from '../scenario.js';
import { type Environment, type Setup, startEnvironment } from './environment.js';
import { type Processes, startProcesses } from './processes.js';

/** The evidence that is available once everything has stopped. */
export interface Evidence {
  readonly records: Records;
  readonly account: Account;
}

/** The outcome of a measurement. Figures are computed from the evidence, which exists only afterwards. */
export interface Outcome {
  readonly deliveries: number;
  readonly processes: readonly Consumption[];
  /** Problems that the measurement itself found. */
  readonly problems?: readonly string[];
  readonly figures: (evidence: Evidence) => readonly Figure[];
  /** The figures of single steps. */
  readonly parts?: (evidence: Evidence) => readonly Part[];
}

/** One measurement of deliveries: its environment, and the actions and measurements in it. */
export interface Measurement extends Setup {
  /** The label of the row to compare with. */
  readonly baseline?: string;
  readonly run: (environment: Environment, baseline: Row | null) => Promise<Outcome>;
}

/** Makes the selected measurements, each in a separate environment, and accounts for every delivery. */
export function measureDeliveries(context: Context, measurements: readonly Measurement[]): Promise<Row[]> {
  const plans = measurements.map((measurement) => ({
    ...measurement,
    measure: (baseline: Row | null) => runMeasurement(context, measurement, baseline),
  }));
  return measureRows(context, plans);
}

/** A failed measurement becomes a row with a mismatch. @throws only if the run is aborted */
async function runMeasurement(
  context: Context,
  measurement: Measurement,
  baseline: Row | null,
): Promise<Row> {
  const { label } = measurement;
  context.progress(label);
  const processes = await startProcesses(context, measurement);
  let isClean = false;
  try {
    const row = await measure(context, measurement, processes, baseline);
    isClean = row.mismatches.length === 0;
    return row;
  } catch (error) {
    context.signal.throwIfAborted();
    const reason = processes.signal.aborted ? processes.signal.reason : error;
    const mismatches = [`the measurement failed: ${reason instanceof Error ? reason.message : reason}`];
    return { label, figures: [], cost: { deliveries: 0, processes: [] }, mismatches };
  } finally {
    await processes.close();
    if (isClean && !context.options.keepLogs) await rm(processes.directory, { recursive: true, force: true });
    else context.progress(`the logs of "${label}" are in ${processes.directory}`);
  }
}

async function measure(
  context: Context,
  measurement: Measurement,
  processes: Processes,
  baseline: Row | null,
): Promise<Row> {
  const { label, groups, resends = 'forbidden' } = measurement;
  const environment = await startEnvironment(context, measurement, processes);
  const outcome = await measurement.run(environment, baseline);
  const stopped = await Promise.allSettled([...processes.services].map(processes.stop));
  const stopProblems = stopped.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
  const { records, unexpected } = await environment.collect();
  const account = reconcile(records, { groups, resends, unexpected });
  return {
    label,
    figures: outcome.figures({ records, account }),
    ...(outcome.parts && { parts: outcome.parts({ records, account }) }),
    cost: { deliveries: outcome.deliveries, processes: outcome.processes },
    account,
    mismatches: [...account.mismatches, ...stopProblems, ...(outcome.problems ?? [])],
    warnings: await countWarnings(processes.logs),
  };
}
