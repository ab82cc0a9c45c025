import { stringify } from 'yaml';
import { ADDRESSES, type Node, PORTS } from './addresses.js';

/** A user of the cluster's API with a static token. */
export interface User {
  readonly name: string;
  readonly token: string;
  readonly groups: readonly string[];
}

/** The file of static tokens that the API server reads. */
export function tokenFile(users: readonly User[]): string {
  return users.map(({ name, token, groups }) => `${token},${name},${name},"${groups.join(',')}"\n`).join('');
}

/** The API server's certificate is not verified: it serves this machine's loopback interface alone. */
export function kubeconfig(token: string): string {
  const server = `https://${ADDRESSES.host}:${PORTS.api}`;
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'own', cluster: { server, 'insecure-skip-tls-verify': true } }],
    users: [{ name: 'user', user: { token } }],
    contexts: [{ name: 'own', context: { cluster: 'own', user: 'user' } }],
    'current-context': 'own',
  });
}

/** The pods of a node share a bridge; the machine routes between bridges. */
export function podNetwork(node: Node, directory: string): string {
  return JSON.stringify({
    cniVersion: '0.4.0',
    name: 'pods',
    plugins: [
      {
        type: 'bridge',
        bridge: node.bridge,
        isGateway: true,
        ipMasq: true,
        hairpinMode: true,
        ipam: {
          type: 'host-local',
          dataDir: `${directory}/ipam`,
          ranges: [[{ subnet: node.podSubnet }]],
          routes: [{ dst: '0.0.0.0/0' }],
        },
      },
      { type: 'portmap', capabilities: { portMappings: true } },
    ],
  });
}

interface ContainerdPlaces {
  readonly directory: string;
  readonly socket: string;
  readonly networkPlugins: string;
  readonly pauseImage: string;
}

/** Without `restrict_oom_score_adj` no container starts where root lacks CAP_SYS_RESOURCE. */
export function containerdSettings({
  directory,
  socket,
  networkPlugins,
  pauseImage,
}: ContainerdPlaces): string {
  return `version = 2
root = "${directory}/containerd/root"
state = "${directory}/containerd/state"
[grpc]
  address = "${socket}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${pauseImage}"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${networkPlugins}"
    conf_dir = "${directory}/cni"
`;
}

interface KubeletPlaces {
  readonly directory: string;
  readonly socket: string;
  readonly resolvConf: string;
}

export function kubeletSettings(node: Node, { directory, socket, resolvConf }: KubeletPlaces): string {
  return stringify({
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    address: node.address,
    healthzPort: node.healthPort,
    authentication: { anonymous: { enabled: true }, webhook: { enabled: false } },
    authorization: { mode: 'AlwaysAllow' },
    cgroupDriver: 'cgroupfs',
    cgroupRoot: `/${node.cgroup}`,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    clusterDNS: [ADDRESSES.host],
    clusterDomain: 'cluster.local',
    containerRuntimeEndpoint: `unix://${socket}`,
    podLogsDir: `${directory}/pod-logs`,
    resolvConf,
    nodeStatusUpdateFrequency: '2s',
    evictionHard: { 'memory.available': '100Mi' },
    // Removed images could not be fetched again: there is no registry. 100 turns their removal from a full disk off.
    imageGCHighThresholdPercent: 100,
  });
}

export function proxySettings(kubeconfigFile: string): string {
  return stringify({
    apiVersion: 'kubeproxy.config.k8s.io/v1alpha1',
    kind: 'KubeProxyConfiguration',
    mode: 'iptables',
    hostnameOverride: 'node-1',
    bindAddress: ADDRESSES.host,
    clientConnection: { kubeconfig: kubeconfigFile },
    clusterCIDR: ADDRESSES.pods,
    // Answers of a pod on the same bridge would otherwise bypass the translation of addresses.
    iptables: { masqueradeAll: true },
    // Limits of the kernel's table of connections cannot be set from inside a container.
    conntrack: { maxPerCore: 0, min: 0, tcpEstablishedTimeout: '0s', tcpCloseWaitTimeout: '0s' },
  });
}

export function nameServerSettings(kubeconfigFile: string): string {
  return `.:${PORTS.dns} {
  bind ${ADDRESSES.host}
  errors
  cache 5
  kubernetes cluster.local {
    kubeconfig ${kubeconfigFile}
    ttl 5
  }
}
`;
}

/** A script that loads an image archive, its argument, into each node. */
export function loadImage(packages: string, sockets: readonly string[]): string {
  const imports = sockets.map(
    (socket) => `"${packages}/usr/bin/ctr" --address "${socket}" --namespace k8s.io images import "$1"`,
  );
  return ['#!/bin/sh', 'set -e', ...imports, ''].join('\n');
}
