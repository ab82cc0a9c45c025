import { Command } from 'commander';
import { wholeNumber } from '#dev/whole-number';

export interface Options {
  /** Names of the steps to run. */
  readonly steps: readonly string[];
  /** Whether these were chosen by name. */
  readonly chosen: boolean;
  /** Deliveries per second while pods are replaced. */
  readonly perSecond: number;
  /** The commit of the version to upgrade from; null: the last release. */
  readonly from: string | null;
  /** Whether the cluster is only started, for other uses. */
  readonly onlyStart: boolean;
}

interface Known {
  readonly name: string;
  readonly about: string;
}

/** @throws CommanderError for invalid arguments (exit code 1) and after printing help (exit code 0) */
export function parseOptions(args: readonly string[], known: readonly Known[]): Options {
  const names = known.map(({ name }) => name);
  const command = new Command('npm run test:cluster --')
    .description(
      'Installs Postrider on a Kubernetes cluster, disturbs it under load and accounts for every delivery.',
    )
    .argument('[steps...]', `steps to run; all by default: ${names.join(', ')}`)
    .option('--per-second <number>', 'deliveries per second while pods are replaced', wholeNumber(1), 500)
    .option('--from <commit>', 'version to upgrade from (default: the last release)')
    .option('--only-start', 'start a cluster, print how to use it, and keep it until Ctrl-C')
    .addHelpText('after', HELP)
    .exitOverride();
  command.parse([...args], { from: 'user' });
  const chosen = command.args.length > 0;
  const steps = chosen ? command.args : names;
  for (const step of steps)
    if (!names.includes(step))
      command.error(`error: there is no step "${step}"; there are ${names.join(', ')}`);
  const { perSecond, from, onlyStart } = command.opts<{
    perSecond: number;
    from?: string;
    onlyStart?: true;
  }>();
  return { steps, chosen, perSecond, from: from ?? null, onlyStart: onlyStart === true };
}

const HELP = `
Without further settings it starts a cluster of two nodes on this machine (Linux on x64, as root, with Go
and apt-get). The first run builds Kubernetes, which takes some ten minutes; later runs find it in the cache.
--only-start prints the settings of such a cluster for the next runs.

To use an existing cluster, set KUBECONFIG, and
  CLUSTER_HOST        an IPv4 address of this machine that pods reach
  CLUSTER_LOAD_IMAGE  a command that loads an image archive into the cluster, given as its last argument,
                      such as "kind load image-archive --name test"
  CLUSTER_CALLS       cluster-ip (default) if this machine routes to the addresses of services; node-port
                      to call the api through a port of the first node, as kind and k3d need it`;
