/** The addresses of a cluster of our own. All are on this machine: those of nodes on its loopback interface. */
export const ADDRESSES = {
  /** Of the API server, the name server and the servers outside the cluster. */
  host: '10.200.0.1',
  services: '10.210.0.0/16',
  pods: '10.201.0.0/16',
} as const;

/** The node's own address, the subnet of its pods and its ports; `index` counts from 1. */
export function nodeOf(index: number) {
  return {
    name: `node-${index}`,
    address: `10.200.0.${index}`,
    podSubnet: `10.201.${index}.0/24`,
    bridge: `postrider${index}`,
    cgroup: `postrider-node-${index}`,
    healthPort: 10_240 + index,
  };
}

export type Node = ReturnType<typeof nodeOf>;

export const PORTS = { api: 6_443, etcd: 12_379, etcdPeers: 12_380, dns: 53 } as const;
