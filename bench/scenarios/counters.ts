import { stepsOfSettled } from '@postrider/shared/domain/delivery-stats';
import { settleAll } from '@postrider/shared/domain/settle-all';
import { createAddStats } from '@postrider/shared/mongo/stats-store';
import {
  createStatsCollector,
  pauseAfterFlush,
  type StatsCollector,
} from '@postrider/shared/platform/collect-stats';
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

/** Counts of 10,000 endpoints are stored every 10 s. */
const LOADS = [
  { perSecond: 1, endpoints: 100 },
  { perSecond: 100, endpoints: 100 },
  { perSecond: 500, endpoints: 100 },
  { perSecond: 2_000, endpoints: 100 },
  { perSecond: 2_000, endpoints: 10_000 },
] as const;
type Load = (typeof LOADS)[number];
/** The default of STATS_FLUSH_INTERVAL. */
const FLUSH_EVERY_MS = 5_000;
/** Maximum numbers of stored counts and of flushes: enough CPU time for the kernel's clock, which has steps of 10 ms. */
const STORED = 200_000;
const MAX_FLUSHES = 400;
const WITHIN_MS = 60_000;
/** Different successes of an endpoint, with durations of up to this number of milliseconds. */
const SUCCESSES = 10;
const MAX_LATENCY_MS = 400;

export const counters: Scenario = {
  name: 'counters',
  about: `CPU of the hourly counters for each delivery, apart from all other work: as the dispatcher counts successes and stores the counts every ${FLUSH_EVERY_MS / 1_000} s, those of many endpoints every 10 s.`,
  run: (context) =>
    measureRows(
      context,
      LOADS.map((load) => ({ label: labelOf(load), measure: () => measureCounters(context, load) })),
    ),
};

function labelOf({ perSecond, endpoints }: Load): string {
  return `${perSecond} a second, ${endpoints.toLocaleString('en')} endpoints`;
}

async function measureCounters(context: Context, load: Load): Promise<Row> {
  context.progress(labelOf(load));
  const namespace = await createNamespace(context);
  try {
    return await runCounters(context, namespace, load);
  } finally {
    await namespace.drop();
  }
}

async function runCounters(context: Context, { database }: Namespace, load: Load): Promise<Row> {
  const { perSecond, endpoints } = load;
  const each = (perSecond * pauseAfterFlush(endpoints, FLUSH_EVERY_MS)) / 1_000;
  const log = createLog({ service: 'bench', level: 'error', pretty: true });
  const addStats = createAddStats(database.collections);
  // Only `close` stores counts, so there is no need to wait for the interval.
  const collector = createStatsCollector({ addStats, flushEveryMs: 2 ** 31 - 1, log });
  const flushes = countOf(context, Math.min(MAX_FLUSHES, STORED / Math.min(each, endpoints)));
  const settled = Array.from({ length: endpoints * SUCCESSES }, (_, n) => settleOne(n % endpoints));
  await countInterval(collector, settled, each);
  const meter = startMeter([
    ...context.serverProcesses.filter(({ name }) => name === 'mongod'),
    { name: 'dispatcher', pid: process.pid, fresh: false },
  ]);
  for (let flush = 0; flush < flushes; flush++) await countInterval(collector, settled, each);
  const processes = meter.stop();
  return {
    label: labelOf(load),
    figures: [],
    cost: { deliveries: flushes * each, processes },
    mismatches: [],
  };
}

type Counted = ReturnType<typeof settleOne>;

/** A first attempt that succeeded. */
function settleOne(n: number) {
  const endpoint = anEndpoint({ id: idFor('endpoint', `${n}`) });
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
