import { stepsOfSettled } from '@postrider/shared/domain/delivery-stats';
import { settleAll } from '@postrider/shared/domain/settle-all';
import { createAddStats } from '@postrider/shared/mongo/stats-store';
import { createStatsCollector, type StatsCollector } from '@postrider/shared/platform/collect-stats';
import { createLog } from '@postrider/shared/runtime/log';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  idFor,
} from '@postrider/shared/testing/builders';
import { createNamespace, type Namespace } from '../environment/namespace.js';
import { startMeter } from '../processes/meter.js';
import type { Row } from '../report/row.js';
import { type Context, countOf, measureRows, type Scenario } from '../scenario.js';

const ENDPOINTS = 100;
const RATES = [1, 100, 500, 2_000];
/** The default of STATS_FLUSH_INTERVAL. */
const FLUSH_EVERY_S = 5;
/** Times that the counts are stored: enough CPU for the clock of the kernel, which has steps of 10 ms. */
const FLUSHES = 400;
const WITHIN_MS = 60_000;
/** Different successes of an endpoint, with durations of up to so many milliseconds. */
const SUCCESSES = 10;
const MAX_LATENCY_MS = 400;

export const counters: Scenario = {
  name: 'counters',
  about: `CPU of the hourly counters for each delivery, apart from all other work: as the dispatcher counts successes at ${ENDPOINTS} endpoints and stores the counts every ${FLUSH_EVERY_S} s.`,
  run: (context) =>
    measureRows(
      context,
      RATES.map((perSecond) => ({
        label: `${perSecond} a second`,
        measure: () => measureCounters(context, perSecond),
      })),
    ),
};

async function measureCounters(context: Context, perSecond: number): Promise<Row> {
  const label = `${perSecond} a second`;
  context.progress(label);
  const namespace = await createNamespace(context);
  try {
    return await runCounters(context, namespace, { label, each: perSecond * FLUSH_EVERY_S });
  } finally {
    await namespace.drop();
  }
}

interface Plan {
  readonly label: string;
  /** Deliveries from one time that counts are stored to the next. */
  readonly each: number;
}

async function runCounters(context: Context, { database }: Namespace, { label, each }: Plan): Promise<Row> {
  const log = createLog({ service: 'bench', level: 'error', pretty: true });
  const addStats = createAddStats(database.collections);
  // Only `close` stores: the time between is not waited for.
  const collector = createStatsCollector({ addStats, flushEveryMs: 2 ** 31 - 1, log });
  const flushes = countOf(context, FLUSHES);
  const settled = Array.from({ length: ENDPOINTS * SUCCESSES }, (_, n) => settleOne(n));
  await countInterval(collector, settled, each);
  const meter = startMeter([
    ...context.serverProcesses.filter(({ name }) => name === 'mongod'),
    { name: 'dispatcher', pid: process.pid, fresh: false },
  ]);
  for (let flush = 0; flush < flushes; flush++) await countInterval(collector, settled, each);
  const processes = meter.stop();
  const deliveries = flushes * each;
  const cpuSeconds = processes.reduce((sum, { cpuSeconds }) => sum + (cpuSeconds ?? 0), 0);
  return {
    label,
    figures: [{ name: 'CPU each', unit: 'µs', value: (cpuSeconds * 1e6) / deliveries }],
    cost: { deliveries, processes },
    mismatches: [],
  };
}

type Counted = ReturnType<typeof settleOne>;

/** A first attempt that succeeded. */
function settleOne(n: number) {
  const endpoint = anEndpoint({ id: idFor('endpoint', `${n % ENDPOINTS}`) });
  const now = new Date();
  const delivery = aDelivery({ endpointId: endpoint.id });
  const stored = {
    deliveries: new Map([[delivery.id, delivery]]),
    endpoints: new Map([[endpoint.id, endpoint]]),
  };
  const observation = anAttemptObservation({
    deliveryId: delivery.id,
    endpointId: endpoint.id,
    outcome: answered(200),
    durationMs: Math.random() * MAX_LATENCY_MS,
    attemptedAt: now,
    endedAt: now,
  });
  return { delivery, batch: settleAll(stored, [observation], 30_000) };
}

/** Counts deliveries, to one endpoint after the other, and stores the counts. */
async function countInterval(
  collector: StatsCollector,
  settled: readonly Counted[],
  deliveries: number,
): Promise<void> {
  for (let n = 0; n < deliveries; n++) {
    const { delivery, batch } = settled[n % settled.length] as Counted;
    for (const result of batch.results) collector.add(delivery, stepsOfSettled(result, delivery));
  }
  await collector.close(WITHIN_MS);
}
