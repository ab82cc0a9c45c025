import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { calledDeliveries } from '../account/called-deliveries.js';
import { noteArrivals, owedDeliveries, type Records } from '../account/delivery-record.js';
import { noteStored } from '../account/note-stored.js';
import { reconcile } from '../account/reconcile.js';
import type { Bench } from '../bench.js';
import { readEventLog } from '../generator/event-log.js';
import { countComplaints } from '../processes/service-log.js';
import { readArrivals } from '../receiver/arrivals.js';
import type { Row } from '../report/row.js';
import { openWorld, type World } from '../world/world.js';
import type { Environment, Measured, Setup } from './environment.js';
import { type Processes, startProcesses } from './processes.js';
import { startEnvironment } from './start-environment.js';

/** Makes one measurement. */
export type Play = (environment: Environment) => Promise<Measured>;

/**
 * Brings everything up for one measurement, lets it be made, takes everything down, and accounts for every delivery.
 * A measurement that fails is a row with a mismatch: the others can still be made.
 *
 * @throws only when all is given up
 */
export async function withEnvironment(bench: Bench, setup: Setup, play: Play): Promise<Row> {
  bench.progress(setup.label);
  const world = await openWorld(bench.servers, setup.partitions ?? bench.options.partitions);
  try {
    return await withCrew(bench, setup, world, play);
  } finally {
    await world.destroy();
  }
}

async function withCrew(bench: Bench, setup: Setup, world: World, play: Play): Promise<Row> {
  const processes = await startProcesses(bench, setup, world);
  let isClean = false;
  try {
    const row = await measure(bench, setup, { world, processes, play });
    isClean = row.mismatches.length === 0;
    return row;
  } catch (error) {
    bench.signal.throwIfAborted();
    const reason = processes.signal.aborted ? processes.signal.reason : error;
    return failedRow(setup.label, reason instanceof Error ? reason.message : String(reason));
  } finally {
    await processes.dismiss();
    if (isClean && !bench.options.keepLogs) await rm(processes.directory, { recursive: true, force: true });
    else bench.progress(`the logs of "${setup.label}" are in ${processes.directory}`);
  }
}

interface Measurement {
  readonly world: World;
  readonly processes: Processes;
  readonly play: Play;
}

async function measure(bench: Bench, setup: Setup, { world, processes, play }: Measurement): Promise<Row> {
  const environment = await startEnvironment(bench, setup, world, processes);
  const measured = await play(environment);
  const wrong = await stopAll(processes);
  const { records, strangers } = await collect(environment, processes);
  const account = reconcile(records, {
    promised: setup.promised,
    resends: setup.resends ?? 'forbidden',
    strangers,
  });
  return {
    label: setup.label,
    figures: measured.figures({ records, account }),
    ...(measured.parts && { parts: measured.parts({ records, account }) }),
    cost: { deliveries: measured.deliveries, processes: measured.processes },
    account,
    mismatches: [...account.mismatches, ...wrong, ...(measured.wrong ?? [])],
    complaints: await complaintsIn(processes.logs),
  };
}

/** What did not stop as it should. Afterwards nothing is written any more. */
async function stopAll(processes: Processes): Promise<string[]> {
  const results = await Promise.allSettled([...processes.services].map((service) => processes.stop(service)));
  return results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
}

async function collect(
  environment: Environment,
  processes: Processes,
): Promise<{ records: Records; strangers: number }> {
  const [events, posts] = ['events', 'arrivals'].map((name) => join(processes.directory, name));
  await Promise.all([
    processes.generator.ask('save', events ?? ''),
    processes.receiver.ask('save', posts ?? ''),
  ]);
  const { collections } = environment.world.database;
  const records = new Map([
    ...owedDeliveries(readEventLog(events ?? ''), environment.population, environment.seed),
    ...(await calledDeliveries(environment.called, collections)),
  ]);
  const strangers = noteArrivals(records, readArrivals(posts ?? ''));
  return { records, strangers: strangers + (await noteStored(records, collections)) };
}

async function complaintsIn(logs: readonly string[]): Promise<Record<string, number>> {
  const all: Record<string, number> = {};
  for (const log of logs) {
    for (const [event, count] of await countComplaints(log)) all[event] = (all[event] ?? 0) + count;
  }
  return all;
}

function failedRow(label: string, reason: string): Row {
  return {
    label,
    figures: [],
    cost: { deliveries: 0, processes: [] },
    account: null,
    mismatches: [`it could not be measured: ${reason}`],
    complaints: {},
  };
}
