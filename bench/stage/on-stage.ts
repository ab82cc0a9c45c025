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
import { assembleCrew, type Crew } from './crew.js';
import { raiseStage } from './raise-stage.js';
import type { Measured, Setup, Stage } from './stage.js';

/** Makes one measurement. */
export type Play = (stage: Stage) => Promise<Measured>;

/**
 * Brings everything up for one measurement, lets it be made, takes everything down, and accounts for every delivery.
 * A measurement that fails is a row with a mismatch: the others can still be made.
 *
 * @throws only when all is given up
 */
export async function onStage(bench: Bench, setup: Setup, play: Play): Promise<Row> {
  bench.progress(setup.label);
  const world = await openWorld(bench.servers, setup.partitions ?? bench.options.partitions);
  try {
    return await withCrew(bench, setup, world, play);
  } finally {
    await world.destroy();
  }
}

async function withCrew(bench: Bench, setup: Setup, world: World, play: Play): Promise<Row> {
  const crew = await assembleCrew(bench, setup, world);
  let isClean = false;
  try {
    const row = await measure(bench, setup, { world, crew, play });
    isClean = row.mismatches.length === 0;
    return row;
  } catch (error) {
    bench.signal.throwIfAborted();
    const reason = crew.signal.aborted ? crew.signal.reason : error;
    return failedRow(setup.label, reason instanceof Error ? reason.message : String(reason));
  } finally {
    await crew.dismiss();
    if (isClean && !bench.options.keepLogs) await rm(crew.directory, { recursive: true, force: true });
    else bench.progress(`the logs of "${setup.label}" are in ${crew.directory}`);
  }
}

interface Measurement {
  readonly world: World;
  readonly crew: Crew;
  readonly play: Play;
}

async function measure(bench: Bench, setup: Setup, { world, crew, play }: Measurement): Promise<Row> {
  const stage = await raiseStage(bench, setup, world, crew);
  const measured = await play(stage);
  const wrong = await stopAll(crew);
  const { records, strangers } = await collect(stage, crew);
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
    complaints: await complaintsIn(crew.logs),
  };
}

/** What did not stop as it should. Afterwards nothing is written any more. */
async function stopAll(crew: Crew): Promise<string[]> {
  const results = await Promise.allSettled([...crew.services].map((service) => crew.stop(service)));
  return results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : []));
}

async function collect(stage: Stage, crew: Crew): Promise<{ records: Records; strangers: number }> {
  const [events, posts] = ['events', 'arrivals'].map((name) => join(crew.directory, name));
  await Promise.all([crew.generator.ask('save', events ?? ''), crew.receiver.ask('save', posts ?? '')]);
  const { collections } = stage.world.database;
  const records = new Map([
    ...owedDeliveries(readEventLog(events ?? ''), stage.population, stage.seed),
    ...(await calledDeliveries(stage.called, collections)),
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
