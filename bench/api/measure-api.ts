import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { ServiceProcess } from '#dev/processes/start-service';
import { createNamespace, type Namespace } from '../environment/namespace.js';
import { profileArgs } from '../environment/service-settings.js';
import { machineNow } from '../measure/clock.js';
import { startMeter } from '../processes/meter.js';
import { startService, stopService } from '../processes/service.js';
import type { Goal, Row } from '../report/row.js';
import { type Context, measureRows, secondsOf } from '../scenario.js';
import { distributionFigures, type Goals, rateFigure } from '../scenarios/figures.js';
import { type SeedPlan, seedDeliveries } from './seed-deliveries.js';
import { type StoredWorkspace, storeWorkspaceWithEndpoints } from './workspace.js';

export interface ApiRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** JSON. */
  readonly body?: string;
  /** The expected status. */
  readonly status: number;
}

/** One row of a scenario that measures the API. */
export interface ApiMeasurement {
  readonly label: string;
  readonly request: (number: number) => ApiRequest;
  readonly goal?: Goal;
}

/** The stored data and the load on the API, the same for all rows of a scenario. */
export interface ApiPlan extends SeedPlan {
  /** Each has one connection and sends its next request once the previous one is answered. */
  readonly clients: number;
  readonly seconds: number;
  readonly goals?: Goals;
  readonly measurements: (namespace: Namespace, workspace: StoredWorkspace) => Promise<ApiMeasurement[]>;
}

const ENDPOINTS = 10;
const WITHOUT_LIMITS = {
  RATE_LIMIT_REST_READ: '0',
  RATE_LIMIT_REST_WRITE: '0',
  // More than a run creates.
  ENDPOINTS_PER_WORKSPACE: '100000',
};
/** Until compiler and caches are warm. */
const WARM_UP_S = 2;

/** Stores a workspace with deliveries, starts one API process and makes the selected measurements. */
export async function measureApi(context: Context, plan: ApiPlan): Promise<Row[]> {
  return withStoredDeliveries(context, plan, async (namespace, workspace) => {
    const { directory, signal, options } = context;
    const logFile = join(directory, 'api.log');
    const api = await startService('api', {
      env: { ...namespace.env, ...WITHOUT_LIMITS },
      nodeArgs: profileArgs(context),
      logFile,
      signal,
    });
    try {
      const measurements = await plan.measurements(namespace, workspace);
      const { token } = workspace;
      const rows = measurements.map((one) => {
        return { ...one, measure: () => measureRequests(context, plan, { ...one, api, token }) };
      });
      return await measureRows(context, rows);
    } finally {
      await stopService(api);
      if (!options.keepLogs) await rm(logFile);
    }
  });
}

/** Runs `use` with a namespace that contains deliveries of one workspace. */
export async function withStoredDeliveries<T>(
  context: Context,
  plan: SeedPlan,
  use: (namespace: Namespace, workspace: StoredWorkspace) => Promise<T>,
): Promise<T> {
  const namespace = await createNamespace(context);
  try {
    const workspace = await storeWorkspaceWithEndpoints(namespace, plan.endpoints ?? ENDPOINTS);
    await seedDeliveries(context, namespace, workspace, plan);
    return await use(namespace, workspace);
  } finally {
    await namespace.drop();
  }
}

async function measureRequests(
  context: Context,
  { clients, seconds, goals }: ApiPlan,
  {
    label,
    request,
    goal,
    api,
    token,
  }: ApiMeasurement & { readonly api: ServiceProcess; readonly token: string },
): Promise<Row> {
  const { progress, signal, serverProcesses } = context;
  progress(label);
  const load = { origin: `http://127.0.0.1:${api.port}`, token, clients, request, signal };
  await applyLoad({ ...load, seconds: WARM_UP_S });
  const own = [
    { name: 'api', pid: api.pid, fresh: false },
    { name: 'load', pid: process.pid, fresh: false },
  ];
  const meter = startMeter([...own, ...serverProcesses]);
  const result = await applyLoad({ ...load, seconds: secondsOf(context, seconds) });
  const processes = meter.stop();
  const { span, latenciesMs, unexpected } = result;
  return {
    label,
    figures: [
      rateFigure('requests', latenciesMs.length, span, goal),
      ...distributionFigures(latenciesMs, ['p50', 'p95', 'max'], goals),
    ],
    cost: { deliveries: latenciesMs.length, processes },
    mismatches: [...unexpected].map(([status, count]) => `${count} responses had status ${status}`),
  };
}

interface LoadPlan extends Pick<ApiPlan, 'clients' | 'seconds'>, Pick<ApiMeasurement, 'request'> {
  readonly origin: string;
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Sends requests for some time as fast as they are answered. */
async function applyLoad({ origin, token, clients, seconds, ...plan }: LoadPlan) {
  const pool = new Pool(origin, { connections: clients });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const latenciesMs: number[] = [];
  /** The number of responses with each unexpected status. */
  const unexpected = new Map<number, number>();
  const from = machineNow();
  const until = from + seconds * 1_000;
  let sent = 0;
  const client = async () => {
    for (let at = machineNow(); at < until; at = machineNow()) {
      plan.signal.throwIfAborted();
      const { status, body = null, ...request } = plan.request(sent++);
      const response = await pool.request({ ...request, body, headers });
      await response.body.arrayBuffer();
      latenciesMs.push(machineNow() - at);
      const { statusCode } = response;
      if (statusCode !== status) unexpected.set(statusCode, (unexpected.get(statusCode) ?? 0) + 1);
    }
  };
  try {
    await Promise.all(Array.from({ length: clients }, client));
  } finally {
    await pool.destroy();
  }
  return { span: { from, to: machineNow() }, latenciesMs, unexpected };
}
