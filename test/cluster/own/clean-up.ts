import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { poll } from '#dev/processes/poll';
import type { Node } from './addresses.js';
import { run, succeeds } from './run.js';

const CGROUPS = '/sys/fs/cgroup';
const FORWARDING = '/proc/sys/net/ipv4/ip_forward';
/** Chains of kube-proxy, the kubelet and the network plugins. */
const OUR_CHAINS = /KUBE-|CNI-/;
const GONE = { everyMs: 200, timeoutMs: 20_000 };

interface Place {
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Gives the machine the addresses of the nodes, and lets it route between their pods. @returns how to undo it */
export async function openNetwork(nodes: readonly Node[], { env }: Place): Promise<() => Promise<void>> {
  const before = readFileSync(FORWARDING);
  for (const { address } of nodes)
    await run('ip', ['address', 'replace', `${address}/32`, 'dev', 'lo'], { env });
  writeFileSync(FORWARDING, '1');
  return async () => {
    for (const family of ['iptables', 'ip6tables']) await removeRules(family, env);
    for (const { address, bridge } of nodes) {
      await removePodNetworks(bridge, env);
      await succeeds('ip', ['link', 'delete', bridge], { env });
      await succeeds('ip', ['address', 'delete', `${address}/32`, 'dev', 'lo'], { env });
    }
    writeFileSync(FORWARDING, before);
  };
}

/** Removes the network namespaces of pods that still ran, with their end on the bridge. */
async function removePodNetworks(bridge: string, env: NodeJS.ProcessEnv): Promise<void> {
  const answer = await run('ip', ['-json', 'link', 'show', 'master', bridge], { env }).catch(() => '[]');
  const ids = (JSON.parse(answer || '[]') as { link_netnsid?: number }[]).map((link) => link.link_netnsid);
  const namespaces = await run('ip', ['netns', 'list'], { env });
  for (const [, name, id] of namespaces.matchAll(/^(\S+) \(id: (\d+)\)$/gm))
    if (ids.includes(Number(id))) await run('ip', ['netns', 'delete', name!], { env });
}

/** Restores the rules without those of the cluster. */
async function removeRules(family: string, env: NodeJS.ProcessEnv): Promise<void> {
  const rules = await run(`${family}-save`, [], { env });
  if (!OUR_CHAINS.test(rules)) return;
  const others = rules.split('\n').filter((line) => !OUR_CHAINS.test(line));
  await run(`${family}-restore`, [], { env, input: others.join('\n') });
}

/** A cgroup for a node's pods, in every controller of version 1 or in the one tree of version 2. */
export function createCgroup(name: string): void {
  for (const root of cgroupRoots()) {
    const directory = join(root, name);
    mkdirSync(directory, { recursive: true });
    for (const inherited of ['cpuset.mems', 'cpuset.cpus'])
      if (existsSync(join(root, inherited)))
        writeFileSync(join(directory, inherited), readFileSync(join(root, inherited)));
  }
}

/** Ends what still runs in a node's cgroup, and removes it. */
export async function removeCgroup(name: string): Promise<void> {
  for (const directory of cgroupRoots().map((root) => join(root, name))) {
    const remove = async () => {
      killAll(directory);
      removeTree(directory);
      return existsSync(directory) ? undefined : true;
    };
    await poll(remove, { ...GONE, what: `the removal of ${directory}` });
  }
}

function cgroupRoots(): string[] {
  if (existsSync(join(CGROUPS, 'cgroup.controllers'))) return [CGROUPS];
  return directoriesIn(CGROUPS).filter((directory) => existsSync(join(directory, 'cgroup.procs')));
}

function directoriesIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(directory, name));
}

function killAll(cgroup: string): void {
  if (!existsSync(cgroup)) return;
  for (const inner of directoriesIn(cgroup)) killAll(inner);
  for (const pid of readFileSync(join(cgroup, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean))
    process.kill(Number(pid), 'SIGKILL');
}

function removeTree(cgroup: string): void {
  if (!existsSync(cgroup)) return;
  for (const inner of directoriesIn(cgroup)) removeTree(inner);
  rmdirSync(cgroup);
}

/** Ends the supervisors of containers, which outlive their containerd. */
function endSupervisors(directory: string): void {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const command = commandOf(pid);
    if (command.includes('containerd-shim') && command.includes(`${directory}/`))
      process.kill(Number(pid), 'SIGKILL');
  }
}

function commandOf(pid: string): string {
  try {
    return readFileSync(join('/proc', pid, 'cmdline'), 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}

/** Unmounts everything below a directory, the innermost first, and removes all of it but the logs. */
export async function removeDirectory({ directory, env }: Place): Promise<void> {
  endSupervisors(directory);
  const mounts = readFileSync('/proc/self/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${directory}/`))
    .sort((one, other) => other.length - one.length);
  for (const path of mounts) await succeeds('umount', ['--lazy', path], { env });
  for (const name of readdirSync(directory).filter((one) => !one.endsWith('.log')))
    rmSync(join(directory, name), { recursive: true });
}
