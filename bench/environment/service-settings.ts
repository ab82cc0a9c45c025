import type { Context } from '../scenario.js';
import type { Setup } from './environment.js';
import type { Group } from './population.js';

type Env = Readonly<Record<string, string>>;

/** What the endpoints of a measurement need in addition to a receiver. */
interface Needs {
  /** A certificate that the services trust. */
  readonly certificate: boolean;
  readonly nameServer: boolean;
}

export function needsOf(groups: readonly Group[]): Needs {
  const certificate = groups.some(({ tls }) => tls);
  const hasNames = groups.some(({ place, named }) => named || place === 'unresolvable');
  return { certificate, nameServer: certificate || hasNames };
}

interface EnvParts {
  readonly namespaceEnv: Env;
  readonly overrides: Env | undefined;
  /** Null without a name server. */
  readonly nameServer: string | null;
  /** Null without TLS. */
  readonly caFile: string | null;
}

/** The configuration of the services of a measurement. */
export function envOf({ namespaceEnv, overrides, nameServer, caFile }: EnvParts): Env {
  return {
    ...namespaceEnv,
    ...overrides,
    ...(nameServer !== null && { BENCH_NAME_SERVER: nameServer }),
    ...(caFile !== null && { NODE_EXTRA_CA_CERTS: caFile }),
  };
}

/** The arguments of Node for the services of a measurement. */
export function nodeArgsOf(
  context: Pick<Context, 'options'>,
  { countRequests = false, measureBlocks = false }: Pick<Setup, 'countRequests' | 'measureBlocks'>,
  { nameServer }: Pick<Needs, 'nameServer'>,
): string[] {
  return [
    ...profileArgs(context),
    ...(nameServer ? ['--import', moduleOf('processes/use-name-server').href] : []),
    ...(countRequests ? ['--import', moduleOf('processes/count-requests').href] : []),
    ...(measureBlocks ? ['--import', moduleOf('processes/measure-blocks').href] : []),
  ];
}

/** Arguments that make Node write CPU profiles, if the options request them, and run each module from its own file, which they name. */
export function profileArgs({ options }: Pick<Context, 'options'>): string[] {
  if (options.profiles === null) return [];
  const unbundled = import.meta.resolve('#dev/programs/run-unbundled');
  return ['--cpu-prof', `--cpu-prof-dir=${options.profiles}`, '--import', unbundled];
}

/** @param name its path below `bench`, without extension */
export function moduleOf(name: string): URL {
  return new URL(`../${name}.js`, import.meta.url);
}
