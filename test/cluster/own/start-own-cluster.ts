import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { Resolver } from 'node:dns/promises';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { poll } from '#dev/processes/poll';
import { startProcess } from '#dev/processes/start-process';
import type { Cluster } from '../cluster.js';
import { PAUSE_IMAGE, writePauseImage } from '../image/archive.js';
import type { Undo } from '../undo.js';
import { ADDRESSES, type Node, nodeOf, PORTS } from './addresses.js';
import { createCgroup, openNetwork, removeCgroup, removeDirectory } from './clean-up.js';
import * as configuration from './configuration.js';
import { environmentOf, fetchPrograms, type Programs } from './fetch-programs.js';
import { enforcePolicies } from './policies/enforce-policies.js';
import { run } from './run.js';

const READY = { everyMs: 500, timeoutMs: 120_000 };
const STOP_GRACE_MS = 10_000;
const NODES = [1, 2].map(nodeOf);
const ETCD = `http://127.0.0.1:${PORTS.etcd}`;
const ETCD_PEERS = `http://127.0.0.1:${PORTS.etcdPeers}`;
const ADMIN = 'admin';

/** A cluster of our own, with the settings by which another process uses it. */
export interface OwnCluster extends Cluster {
  readonly settings: Readonly<Record<string, string>>;
}

/** A Kubernetes of two nodes on this machine, made of processes alone. `undo` gets what removes it. */
export async function startOwnCluster(report: (line: string) => void, undo: Undo): Promise<OwnCluster> {
  refuseOtherMachines();
  const programs = await fetchPrograms(report);
  const directory = mkdtempSync(join(tmpdir(), 'postrider-cluster-'));
  const env = environmentOf(programs);
  undo.push(() => removeDirectory({ directory, env }));
  report(`starting a cluster of ${NODES.length} nodes; its logs are in ${directory}`);
  return startParts({ programs, directory, env, undo });
}

interface Place {
  readonly programs: Programs;
  readonly directory: string;
  readonly env: NodeJS.ProcessEnv;
  readonly undo: Undo;
}

/** @throws Error that says what to use instead */
function refuseOtherMachines(): void {
  const instead = 'set KUBECONFIG to the configuration of an existing cluster instead';
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(`a cluster of our own needs Linux on x64: ${instead}`);
  if (process.getuid?.() !== 0) throw new Error(`a cluster of our own needs root: ${instead}`);
}

async function startParts(place: Place): Promise<OwnCluster> {
  place.undo.push(await openNetwork(NODES, place));
  const users = [ADMIN, ...NODES.map(({ name }) => name)].map((name) => ({
    name: name === ADMIN ? name : `system:node:${name}`,
    token: randomBytes(16).toString('hex'),
    groups: [name === ADMIN ? 'system:masters' : 'system:nodes'],
    kubeconfig: join(place.directory, `${name}.kubeconfig`),
  }));
  for (const { kubeconfig, token } of users) write(kubeconfig, configuration.kubeconfig(token));
  const tokens = join(place.directory, 'tokens.csv');
  write(tokens, configuration.tokenFile(users));
  const [admin, ...nodes] = users as [(typeof users)[0], ...typeof users];
  await startControlPlane(place, tokens, admin.kubeconfig);
  const sockets = await Promise.all(
    NODES.map((node, index) => startNode(place, node, nodes[index]!.kubeconfig)),
  );
  await startNetwork(place, admin.kubeconfig);
  const env = { ...place.env, KUBECONFIG: admin.kubeconfig };
  for (const { name } of NODES) {
    const ready = () =>
      run('kubectl', ['wait', '--for=condition=Ready', `node/${name}`, '--timeout=60s'], { env });
    await poll(ready, { ...READY, what: `the start of ${name}` });
  }
  const load = join(place.directory, 'load-image');
  writeFileSync(load, configuration.loadImage(place.programs.packages, sockets), { mode: 0o700 });
  return {
    env,
    host: ADDRESSES.host,
    settings: { KUBECONFIG: admin.kubeconfig, CLUSTER_HOST: ADDRESSES.host, CLUSTER_LOAD_IMAGE: load },
    nodes: NODES.map(({ name }) => name),
    calls: 'cluster-ip',
    async load(archive) {
      for (const socket of sockets) await importImage(place, socket, archive);
    },
    enforcePolicies: () => enforcePolicies(env),
  };
}

async function startControlPlane(place: Place, tokens: string, kubeconfig: string): Promise<void> {
  const { directory } = place;
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2_048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  const key = join(directory, 'service-accounts.key');
  const certificates = join(directory, 'certificates');
  write(key, keys.privateKey);
  await start(place, 'etcd', {
    'data-dir': join(directory, 'etcd'),
    'listen-client-urls': ETCD,
    'advertise-client-urls': ETCD,
    'listen-peer-urls': ETCD_PEERS,
    'initial-advertise-peer-urls': ETCD_PEERS,
    'initial-cluster': `default=${ETCD_PEERS}`,
  });
  await start(place, 'kube-apiserver', {
    'etcd-servers': ETCD,
    'bind-address': ADDRESSES.host,
    'advertise-address': ADDRESSES.host,
    'secure-port': String(PORTS.api),
    'cert-dir': certificates,
    'service-cluster-ip-range': ADDRESSES.services,
    'token-auth-file': tokens,
    'authorization-mode': 'Node,RBAC',
    'kubelet-preferred-address-types': 'InternalIP',
    'service-account-issuer': 'https://kubernetes.default.svc',
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
  });
  const env = { ...place.env, KUBECONFIG: kubeconfig };
  const ready = () => run('kubectl', ['get', '--raw', '/readyz'], { env });
  await poll(ready, { ...READY, what: 'the start of the API server' });
  await start(place, 'kube-controller-manager', {
    kubeconfig,
    'service-account-private-key-file': key,
    'root-ca-file': join(certificates, 'apiserver.crt'),
    'use-service-account-credentials': 'true',
    'leader-elect': 'false',
  });
  await start(place, 'kube-scheduler', { kubeconfig, 'leader-elect': 'false' });
}

/** @returns the socket of its containerd */
async function startNode(place: Place, node: Node, kubeconfig: string): Promise<string> {
  const directory = join(place.directory, node.name);
  const socket = join(directory, 'containerd.sock');
  const resolvConf = join(directory, 'resolv.conf');
  const settings = join(directory, 'kubelet.yaml');
  const containerd = join(directory, 'containerd.toml');
  mkdirSync(join(directory, 'cni'), { recursive: true });
  write(join(directory, 'cni', 'pods.conflist'), configuration.podNetwork(node, directory));
  write(resolvConf, `nameserver ${ADDRESSES.host}\n`);
  write(settings, configuration.kubeletSettings(node, { directory, socket, resolvConf }));
  const networkPlugins = join(place.programs.packages, 'usr/lib/cni');
  write(
    containerd,
    configuration.containerdSettings({ directory, socket, networkPlugins, pauseImage: PAUSE_IMAGE }),
  );
  createCgroup(node.cgroup);
  place.undo.push(() => removeCgroup(node.cgroup));
  await start(place, 'containerd', { config: containerd }, `containerd-${node.name}`);
  const answers = () => run('ctr', ['--address', socket, 'version'], { env: place.env });
  await poll(answers, { ...READY, what: `the start of containerd of ${node.name}` });
  place.undo.push(() => endContainers(place, socket));
  const pause = join(directory, 'pause.tar');
  await writePauseImage(join(place.programs.kubernetes, 'pause'), pause);
  await importImage(place, socket, pause);
  await start(
    place,
    'kubelet',
    {
      kubeconfig,
      config: settings,
      'hostname-override': node.name,
      'node-ip': node.address,
      'root-dir': join(directory, 'kubelet'),
      'cert-dir': join(directory, 'certificates'),
    },
    `kubelet-${node.name}`,
  );
  return socket;
}

async function startNetwork(place: Place, kubeconfig: string): Promise<void> {
  const proxy = join(place.directory, 'kube-proxy.yaml');
  const names = join(place.directory, 'Corefile');
  write(proxy, configuration.proxySettings(kubeconfig));
  write(names, configuration.nameServerSettings(kubeconfig));
  await start(place, 'kube-proxy', { config: proxy });
  await start(place, 'coredns', { conf: names });
  const resolver = new Resolver();
  resolver.setServers([`${ADDRESSES.host}:${PORTS.dns}`]);
  const resolved = () => resolver.resolve4('kubernetes.default.svc.cluster.local');
  await poll(resolved, { ...READY, what: 'the start of the name server' });
}

/** Ends all containers of a node: they would outlive their containerd. */
async function endContainers(place: Place, socket: string): Promise<void> {
  const containers = (...args: string[]) => ctr(place, socket, ...args);
  for (const id of (await containers('tasks', 'list', '--quiet')).split('\n').filter(Boolean))
    await containers('tasks', 'delete', '--force', id);
}

async function start(
  { directory, env, undo }: Place,
  command: string,
  options: Readonly<Record<string, string>>,
  name = command,
): Promise<void> {
  const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
  const running = await startProcess({ name, command, args, env, logFile: join(directory, `${name}.log`) });
  undo.push(() => running.stop(STOP_GRACE_MS));
}

const ctr = ({ env }: Place, socket: string, ...args: string[]) =>
  run('ctr', ['--address', socket, '--namespace', 'k8s.io', ...args], { env });
const importImage = (place: Place, socket: string, archive: string) =>
  ctr(place, socket, 'images', 'import', archive);

const write = (file: string, text: string) => writeFileSync(file, text, { mode: 0o600 });
