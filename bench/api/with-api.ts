import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bench } from '../bench.js';
import { distributionOf } from '../measure/quantile.js';
import { startMeter } from '../processes/meter.js';
import { type Service, startService } from '../processes/service.js';
import type { Figure, Goal, Row } from '../report/row.js';
import { rateFigure } from '../scenarios/figures.js';
import { openWorld, type World } from '../world/world.js';
import { type Asked, load } from './load.js';
import { type OpenedWorkspace, openWorkspace } from './open-workspace.js';
import { seedDeliveries } from './seed-deliveries.js';

/** How many there are of what, before anything is measured. */
export interface Stored {
  readonly endpoints: number;
  readonly deliveries: number;
}

/** One row of a scenario about the api. */
export interface Question {
  readonly label: string;
  readonly clients: number;
  readonly seconds: number;
  readonly ask: (number: number) => Asked;
  readonly atLeastPerSecond?: number;
  readonly p95AtMostMs?: number;
}

/** An api in a world of its own, with something to read. */
export interface ApiStage {
  readonly world: World;
  readonly workspace: OpenedWorkspace;
  /** Asks one thing over and over. */
  measure(question: Question): Promise<Row>;
}

const NO_LIMITS = { RATE_LIMIT_REST_READ: '0', RATE_LIMIT_REST_WRITE: '0' };
/** Compilers and caches need a while. */
const WARM_UP_S = 2;

/** Starts an api, stores what there is to read, and takes everything down again. */
export async function withApi(
  bench: Bench,
  stored: Stored,
  play: (environment: ApiStage) => Promise<Row[]>,
): Promise<Row[]> {
  const world = await openWorld(bench.servers, bench.options.partitions);
  try {
    const workspace = await openWorkspace(world, stored.endpoints);
    const { progress, signal } = bench;
    const { bodyBytes } = bench.options;
    await seedDeliveries(world, workspace, { deliveries: stored.deliveries, bodyBytes, progress, signal });
    const api = await start(bench, world);
    try {
      return await play({ world, workspace, measure: measuring(bench, api, workspace) });
    } finally {
      await api.stop();
      if (!bench.options.keepLogs) await rm(api.logFile);
    }
  } finally {
    await world.destroy();
  }
}

function start({ directory, signal, options }: Bench, world: World): Promise<Service> {
  const nodeArgs = options.profiles === null ? [] : ['--cpu-prof', `--cpu-prof-dir=${options.profiles}`];
  return startService({
    service: 'api',
    env: { ...world.env, ...NO_LIMITS },
    nodeArgs,
    logFile: join(directory, 'api.log'),
    signal,
  });
}

function measuring(bench: Bench, api: Service, { secret }: OpenedWorkspace): ApiStage['measure'] {
  const { signal, serverProcesses } = bench;
  return async ({ label, clients, seconds, ask, atLeastPerSecond, p95AtMostMs }) => {
    bench.progress(label);
    const plan = { origin: api.origin, secret, clients, ask, signal };
    await load({ ...plan, seconds: WARM_UP_S });
    const own = { name: 'load', pid: process.pid, fresh: false };
    const meter = startMeter([{ name: 'api', pid: api.pid, fresh: false }, own, ...serverProcesses]);
    const { span, latenciesMs, wrong } = await load({ ...plan, seconds });
    const rate = rateFigure('requests', latenciesMs.length, span, atLeast(atLeastPerSecond));
    return {
      label,
      figures: [rate, ...latencyFigures(latenciesMs, atMost(p95AtMostMs))],
      cost: { deliveries: latenciesMs.length, processes: meter.stop() },
      account: null,
      mismatches: [...wrong].map(([status, count]) => `${count} answers had status ${status}`),
      complaints: {},
    };
  };
}

function latencyFigures(latenciesMs: readonly number[], p95Goal: Goal | undefined): Figure[] {
  const { p50, p95, greatest } = distributionOf(latenciesMs);
  return [
    { name: 'p50', unit: 'ms', value: p50 },
    { name: 'p95', unit: 'ms', value: p95, ...(p95Goal && { goal: p95Goal }) },
    { name: 'max', unit: 'ms', value: greatest },
  ];
}

const atLeast = (value: number | undefined): Goal | undefined =>
  value === undefined ? undefined : { atLeast: value };
const atMost = (value: number | undefined): Goal | undefined =>
  value === undefined ? undefined : { atMost: value };
