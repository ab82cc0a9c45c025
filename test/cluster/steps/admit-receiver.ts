import type { Kubectl } from '../tools.js';
import type { Trial } from '../trial.js';

/** Lets dispatchers reach the receiver, whose private address the policies of the deployment exclude. */
export async function admitReceiver({ receiver }: Trial, kubectl: Kubectl): Promise<void> {
  const { hostname, port } = new URL(receiver.url);
  const policy = {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'receiver' },
    spec: {
      podSelector: { matchLabels: { 'app.kubernetes.io/component': 'dispatcher' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ ipBlock: { cidr: `${hostname}/32` } }], ports: [{ port: Number(port) }] }],
    },
  };
  await kubectl.apply(JSON.stringify(policy));
}
