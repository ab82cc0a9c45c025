import { cpSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { runTool } from '#dev/processes/start-process';
import { cacheDirectory, withLock } from '#dev/stack/native/cache';
import { ROOT } from '#dev/start/paths';
import { withBuildProgress } from './build-progress.js';
import { unpackPackages } from './unpack-packages.js';

/** Programs of a cluster of our own. */
export interface Programs {
  /** kube-apiserver and the like, coredns, pause. */
  readonly kubernetes: string;
  /** The root directory of unpacked packages of the distribution: etcd, containerd, runc, network plugins, iptables. */
  readonly packages: string;
}

interface Program {
  readonly name: string;
  readonly title: string;
  fetch(into: string, logFile: string): Promise<void>;
}

const KUBERNETES = 'kubernetes-1.33.13-coredns-1.14.3';
/** Charts and clients read the server's version. */
const VERSION = Object.entries({ gitVersion: 'v1.33.13', gitMajor: '1', gitMinor: '33' })
  .map(([name, value]) => `-X k8s.io/component-base/version.${name}=${value}`)
  .join(' ');
const SOURCES = join(ROOT, 'test/cluster/own/programs');
const COMMANDS = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubelet', 'kube-proxy'];
/** They are unpacked, not installed. */
const PACKAGES = [
  ...['etcd-server', 'containerd', 'runc', 'containernetworking-plugins'],
  ...['iptables', 'libip4tc2', 'libip6tc2', 'libxtables12', 'libmnl0', 'libnftnl11', 'libnfnetlink0'],
  ...['libnetfilter-conntrack3', 'libseccomp2', 'conntrack'],
];
const IPTABLES = ['', '6'].flatMap((family) =>
  ['', '-save', '-restore'].map((kind) => `ip${family}tables${kind}`),
);

/** Builds or downloads what is not in the cache yet. @throws Error that names the tool that is missing or failed */
export async function fetchPrograms(report: (line: string) => void): Promise<Programs> {
  const kubernetes = await provide(
    {
      name: KUBERNETES,
      title: 'Kubernetes from its Go modules (once; ten minutes of two cores)',
      fetch: (into, logFile) =>
        withBuildProgress(report, (onLine) => buildKubernetes({ into, logFile, onLine })),
    },
    report,
  );
  const packages = await provide(
    {
      name: 'cluster-packages-1',
      title: 'etcd, containerd, runc, network plugins and iptables from the packages of Debian (45 MB)',
      async fetch(into, logFile) {
        await unpackPackages(PACKAGES, into, logFile);
        for (const name of IPTABLES)
          symlinkSync(join('..', 'usr', 'sbin', 'xtables-nft-multi'), join(into, 'bin', name));
      },
    },
    report,
  );
  return { kubernetes, packages };
}

/** The environment for unpacked programs, which find their libraries and each other. */
export function environmentOf({ kubernetes, packages }: Programs): NodeJS.ProcessEnv {
  const libraries = join(packages, 'usr/lib/x86_64-linux-gnu');
  const paths = [join(packages, 'bin'), kubernetes, join(packages, 'usr/sbin'), join(packages, 'usr/bin')];
  return {
    ...process.env,
    PATH: [...paths, process.env.PATH].join(':'),
    LD_LIBRARY_PATH: [libraries, join(packages, 'lib/x86_64-linux-gnu')].join(':'),
    XTABLES_LIBDIR: join(libraries, 'xtables'),
  };
}

/** The directory of a program in the cache, which exists only when it is complete. */
async function provide(program: Program, report: (line: string) => void): Promise<string> {
  const cache = cacheDirectory(process.env);
  const directory = join(cache, program.name);
  mkdirSync(cache, { recursive: true });
  return withLock(
    `${directory}.lock`,
    () => report(`another process fetches ${program.title}`),
    async () => {
      if (existsSync(directory)) return directory;
      report(`fetching ${program.title}`);
      const incomplete = `${directory}.incomplete`;
      rmSync(incomplete, { recursive: true, force: true });
      mkdirSync(join(incomplete, 'bin'), { recursive: true });
      await program.fetch(incomplete, `${incomplete}.log`);
      renameSync(incomplete, directory);
      rmSync(`${incomplete}.log`, { force: true });
      return directory;
    },
  );
}

interface Build {
  readonly into: string;
  readonly logFile: string;
  /** Called with each line that Go prints. */
  readonly onLine: (line: string) => void;
}

/** Go verifies each module against the committed checksums. */
async function buildKubernetes({ into, logFile, onLine }: Build): Promise<void> {
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=readonly' };
  const build = async (source: string, packages: readonly string[]) => {
    const cwd = join(into, 'source', source);
    cpSync(join(SOURCES, source), cwd, { recursive: true });
    const args = ['build', '-v', `-ldflags=-s -w ${VERSION}`, '-o', `${into}/`, ...packages];
    await runTool({ name: `go build of ${source}`, command: 'go', args, cwd, env, logFile, onLine });
  };
  await build('pause', ['.']);
  await build('coredns', ['.']);
  await build(
    'kubernetes',
    COMMANDS.map((name) => `k8s.io/kubernetes/cmd/${name}`),
  );
  rmSync(join(into, 'source'), { recursive: true });
}
