import { stringify } from 'yaml';
import type { Trial } from '../trial.js';
import { ANYWHERE } from './values.js';

/** The requests of production exceed what a small machine has. */
export const SMALL = [
  ['Deployment', '/spec/template'],
  ['CronJob', '/spec/jobTemplate/spec/template'],
].map(([kind, template]) => ({
  target: { kind },
  patch: stringify([
    { op: 'replace', path: `${template}/spec/containers/0/resources/requests`, value: { cpu: '10m' } },
  ]),
}));

/** Adapts the network policies to the servers of this trial, as their component describes it; a name server may be anywhere. */
export function policyPatches({ servers }: Trial): object[] {
  const addresses = {
    kafka: servers.kafkaBrokers[0]!,
    mongodb: new URL(servers.mongodbUri).host,
    'schema-registry': new URL(servers.schemaRegistryUrl).host,
  };
  const towards = (name: string, rule: object[]) => ({
    target: { kind: 'NetworkPolicy', name },
    patch: stringify(rule),
  });
  const to = (value: object) => ({ op: 'replace', path: '/spec/egress/0/to', value });
  return [
    towards('postrider', [to(ANYWHERE)]),
    ...Object.entries(addresses).map(([name, address]) => {
      const [host, port] = address.split(':');
      const ofServer = { op: 'replace', path: '/spec/egress/0/ports/0/port', value: Number(port) };
      return towards(`postrider-${name}`, [to([{ ipBlock: { cidr: `${host}/32` } }]), ofServer]);
    }),
  ];
}

/** Without the object for KEDA, which this cluster does not run. */
export const WITHOUT_SCALER = {
  patch: stringify({
    $patch: 'delete',
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'postrider-dispatcher' },
  }),
};
