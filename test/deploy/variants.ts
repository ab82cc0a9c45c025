import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { ROOT } from '#dev/start/paths';

/** The chart's values that correspond to the production overlay. */
export const PRODUCTION = {
  kafka: { brokers: 'kafka-bootstrap.kafka:9092' },
  schemaRegistry: { url: 'http://schema-registry.kafka:8081' },
  secrets: { existingSecret: 'postrider-secrets' },
};

/** The values that correspond to the overlay for a small installation. */
export const ONE_PROCESS = { ...PRODUCTION, profile: 'all' };

const REGISTRY_OVER_TLS = 'https://schema-registry.kafka:8081';

const COLLECTOR_OVER_TLS = 'https://collector.tracing:4318';

/** With certificates of private authorities for broker, database and registry … */
export const SECURED = {
  ...PRODUCTION,
  kafka: { ...PRODUCTION.kafka, tls: { enabled: true, existingSecret: 'postrider-kafka-tls' } },
  mongodb: { tls: { existingSecret: 'postrider-mongodb-tls' } },
  schemaRegistry: { url: REGISTRY_OVER_TLS, tls: { existingSecret: 'postrider-schema-registry-tls' } },
};
/** … and for a collector. */
export const TRACED_SECURELY = {
  ...SECURED,
  config: { OTEL_EXPORTER_OTLP_ENDPOINT: COLLECTOR_OVER_TLS },
  tracing: { tls: { existingSecret: 'postrider-collector-tls' } },
};
const inNamespace = (name: string) => ({
  to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': name } } }],
});
/** The namespaces that the component of kustomize has, too. */
export const POLICIES = {
  enabled: true,
  kafka: inNamespace('kafka'),
  mongodb: inNamespace('mongodb'),
  schemaRegistry: inNamespace('kafka'),
};
/** Scaling, monitoring and network policies. */
export const OPERATED = {
  ...PRODUCTION,
  keda: { enabled: true },
  monitoring: { enabled: true },
  networkPolicies: POLICIES,
};
/** Scaling by a broker that requires certificates and a login. */
export const SCALED_SECURELY = {
  ...SECURED,
  kafka: {
    ...PRODUCTION.kafka,
    tls: { ...SECURED.kafka.tls, clientCertificate: true },
    sasl: { mechanism: 'scram-sha-512' },
  },
  keda: { enabled: true },
};
/** The text of the example of a catalogue. */
export const EVENT_TYPES = readFileSync(join(ROOT, 'docs/event-types.yaml'), 'utf8');
/** The values that correspond to the component ingress. */
export const EXPOSED = {
  ...PRODUCTION,
  ingress: { enabled: true, host: 'hooks.example.com', tlsSecret: 'hooks-tls' },
};
/** The patches of the overlay for the component ingress. */
export const INGRESS_SETTINGS = ['CONSOLE_URL=https://hooks.example.com/console'];
/** With an authority of its own for the api. */
export const EXTRA_AUTHORITY = { ...PRODUCTION, api: { caSecret: 'postrider-api-ca' } };
/** Everything that is optional. */
export const ALL = {
  ...EXTRA_AUTHORITY,
  ...OPERATED,
  ...EXPOSED,
  ...SCALED_SECURELY,
  eventCatalogue: EVENT_TYPES,
};
/** Every value that says how and where pods run. No overlay corresponds to it. */
export const PLACED = {
  ...PRODUCTION,
  image: { pullSecrets: ['registry-login'] },
  pods: {
    serviceAccount: 'hooks',
    labels: { 'example.com/team': 'hooks' },
    annotations: { 'example.com/mesh': 'false' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'hooks', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'pool', operator: 'In', values: ['hooks'] }] }],
        },
      },
    },
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: 'topology.kubernetes.io/zone', whenUnsatisfiable: 'DoNotSchedule' },
    ],
    priorityClassName: 'high',
  },
};
/** All components, each after those it builds on. */
export const COMPONENTS = [
  'tls',
  'api-ca',
  'collector-tls',
  'event-catalogue',
  'network-policies',
  'ingress',
  'prometheus-operator',
  'keda',
  'keda-secured',
] as const;
/** The patches of the overlay for the component tls … */
export const TLS_SETTINGS = [
  'KAFKA_TLS=true',
  'KAFKA_TLS_CA_FILE=/etc/postrider/kafka/ca.crt',
  'MONGODB_TLS_CA_FILE=/etc/postrider/mongodb/ca.crt',
  `SCHEMA_REGISTRY_URL=${REGISTRY_OVER_TLS}`,
  'SCHEMA_REGISTRY_CA_FILE=/etc/postrider/schema-registry/ca.crt',
];
/** … for a collector … */
export const COLLECTOR_SETTINGS = [
  `OTEL_EXPORTER_OTLP_ENDPOINT=${COLLECTOR_OVER_TLS}`,
  'OTEL_EXPORTER_OTLP_CERTIFICATE=/etc/postrider/collector/ca.crt',
];
/** … and for the client certificate and login of the broker. */
export const CLIENT_SETTINGS = [
  'KAFKA_TLS_CERT_FILE=/etc/postrider/kafka/tls.crt',
  'KAFKA_TLS_KEY_FILE=/etc/postrider/kafka/tls.key',
  'KAFKA_SASL_MECHANISM=scram-sha-512',
];
/** With client certificates from secrets that have no authority, as managed servers need them. */
export const CLIENT_CERTIFICATES = {
  ...SECURED,
  kafka: { ...SECURED.kafka, tls: { ...SECURED.kafka.tls, customCa: false, clientCertificate: true } },
  mongodb: { tls: { ...SECURED.mongodb.tls, customCa: false, clientCertificate: true } },
};
/** The variables that correspond to them. */
export const CLIENT_CERTIFICATE_SETTINGS = [
  ...TLS_SETTINGS.filter((setting) => !/^(KAFKA|MONGODB)_TLS_CA_FILE=/.test(setting)),
  ...CLIENT_SETTINGS.filter((setting) => !setting.startsWith('KAFKA_SASL')),
  'MONGODB_TLS_CERT_FILE=/etc/postrider/mongodb/client.pem',
];

/** A patch of kustomize. */
export interface Patch {
  readonly target: { readonly kind: string; readonly name?: string };
  readonly patch: string;
}

/** The patches that the production overlay has as comments. */
export function describedPatches(selects: (patch: Patch) => boolean): Patch[] {
  const file = readFileSync(join(ROOT, 'deploy/k8s/overlays/production/kustomization.yaml'), 'utf8');
  const [, described = ''] = file.split(/^# patches:$/m);
  const { patches } = parse(`patches:\n${described.replace(/^# /gm, '')}`) as { patches: Patch[] };
  return patches.filter(selects);
}
/** The patches of the overlay for the component keda-secured. */
export const KEDA_LOGIN = {
  target: { kind: 'ScaledObject', name: 'postrider-dispatcher' },
  patch: stringify(
    [1, 2].map((trigger) => ({
      op: 'replace',
      path: `/spec/triggers/${trigger}/metadata/sasl`,
      value: 'scram_sha512',
    })),
  ),
};
/** The patches of the overlay for the component keda where one Prometheus scrapes several installations. */
export const KEDA_NAMESPACE = {
  target: { kind: 'ScaledObject', name: 'postrider-dispatcher' },
  patch: stringify([
    {
      op: 'replace',
      path: '/spec/triggers/0/metadata/query',
      value:
        'histogram_quantile(0.5, sum by (le) (rate(postrider_delivery_wait_seconds_bucket{namespace="default"}[2m]))) >= 0',
    },
  ]),
};
