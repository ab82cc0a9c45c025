/** A Kubernetes cluster to try the deployment on. */
export interface Cluster {
  /** The environment for kubectl and Helm, with KUBECONFIG. */
  readonly env: NodeJS.ProcessEnv;
  /** The address of this machine, as pods reach it. */
  readonly host: string;
  readonly nodes: readonly string[];
  /** How this machine calls services: by their own addresses, to which it routes, or by ports of the nodes. */
  readonly calls: 'cluster-ip' | 'node-port';
  /** Makes an image of this archive available to all nodes. */
  load(archive: string): Promise<void>;
  /** Makes the network policies of this moment effective, unless the network of the cluster does so itself. */
  enforcePolicies(): Promise<void>;
}
