import type { Options } from './options.js';
import type { Watched } from './processes/meter.js';
import type { Row } from './report/row.js';

/** One question, answered by a few measurements. */
export interface Scenario {
  readonly name: string;
  /** A summary for the report; docs/benchmarks.md describes the method. */
  readonly about: string;
  /** Makes all selected measurements once. */
  readonly run: (context: Context) => Promise<Row[]>;
}

/** One row of a scenario's table. */
export interface RowPlan {
  readonly label: string;
  /** The label of an earlier row to compare with. It is measured even if only this row is selected. */
  readonly baseline?: string;
  readonly measure: (baseline: Row | null) => Promise<Row>;
}

/** Measures the rows that `--only` selects, one after the other. If it selects none, it prints the labels. */
export async function measureRows({ options, progress }: Context, plans: readonly RowPlan[]): Promise<Row[]> {
  const selected = plans.filter(({ label }) => options.only === null || label.includes(options.only));
  if (selected.length === 0) {
    const labels = plans.map(({ label }) => `"${label}"`).join(', ');
    progress(`no label contains "${options.only}"; with these options, the labels are ${labels}`);
  }
  const rows: Row[] = [];
  for (const plan of plans) {
    const isNeeded = selected.some((other) => other === plan || other.baseline === plan.label);
    if (isNeeded) rows.push(await plan.measure(rows.find(({ label }) => label === plan.baseline) ?? null));
  }
  return rows;
}

/** The context of a bench run. */
export interface Context {
  readonly options: Options;
  readonly servers: Servers;
  /** The processes of broker, database and registry, if they run on this machine. */
  readonly serverProcesses: readonly Watched[];
  /** Aborts the whole run. */
  readonly signal: AbortSignal;
  /** Prints a progress line for the person at the terminal. */
  readonly progress: (line: string) => void;
  /** For logs and temporary files. */
  readonly directory: string;
}

/** The duration of a timed measurement, shortened according to the options. */
export function secondsOf({ options }: Context, usual: number): number {
  return Math.max(2, usual * options.scale);
}

/** The size of a counted measurement, shortened according to the options. */
export function countOf({ options }: Context, usual: number): number {
  return Math.max(Math.min(100, usual), Math.round(usual * options.scale));
}

/** A rate of a load, multiplied according to the options. */
export function rateOf({ options }: Context, usual: number): number {
  return usual * options.load;
}

/** Where the servers are. `npm run bench` starts them and sets the environment accordingly. */
export interface Servers {
  readonly brokers: readonly string[];
  readonly mongodbUri: string;
  readonly registryUrl: string;
}

/** @throws Error that names a variable that is not set */
export function serversFrom(env: NodeJS.ProcessEnv): Servers {
  const required = (name: string): string => {
    const value = env[name];
    if (!value) throw new Error(`${name} is not set: "npm run bench" starts the servers and sets it`);
    return value;
  };
  return {
    brokers: required('KAFKA_BROKERS').split(','),
    mongodbUri: required('MONGODB_URI'),
    registryUrl: required('SCHEMA_REGISTRY_URL'),
  };
}

/** The processes of broker, database and registry, if `npm run bench` started them on this machine. */
export function findServerProcesses(env: NodeJS.ProcessEnv): Watched[] {
  const pids: Record<string, number> = JSON.parse(env.STACK_PIDS ?? '{}');
  return ['kafka', 'mongod', 'registry'].flatMap((name) => {
    const pid = pids[name];
    return pid === undefined ? [] : [{ name, pid, fresh: false }];
  });
}
