/** A set of files and everything that it may import. What is not listed is refused. */
export interface Layer {
  /** Globs from the root of the repository. Where two layers match a file, the later one decides. */
  readonly files: readonly [string, ...string[]];
  readonly role: string;
  /** Folders of `shared/src` by name, and folders of the same service by path from its `src`. Its own folder is included. */
  readonly uses: readonly string[];
  /** Packages, and built-in modules of Node. */
  readonly packages: readonly string[];
}

const NODE = 'node:*';
const EVERY_SHARED_FOLDER = [
  'domain',
  'events',
  'kafka',
  'metrics',
  'mongo',
  'outbox',
  'platform',
  'ports',
  'runtime',
  'tracing',
];

export const LAYERS: readonly Layer[] = [
  {
    files: ['shared/src/domain/**'],
    role: 'rules of the business, pure',
    uses: [],
    packages: ['node:crypto', 'node:net'],
  },
  {
    files: ['shared/src/ports/**'],
    role: 'what rules and services need from the outside',
    uses: ['domain'],
    packages: [],
  },
  {
    files: ['shared/src/events/**'],
    role: 'payloads and their schemas',
    uses: ['domain'],
    packages: ['typebox'],
  },
  {
    files: ['shared/src/outbox/**'],
    role: 'outbox records and the relay',
    uses: ['domain', 'events', 'ports', 'runtime'],
    packages: [],
  },
  {
    files: ['shared/src/mongo/**'],
    role: 'ports on MongoDB',
    uses: ['domain', 'outbox', 'ports', 'runtime'],
    packages: ['mongodb', 'node:crypto'],
  },
  {
    files: ['shared/src/kafka/**'],
    role: 'ports on Kafka and the schema registry',
    uses: ['domain', 'events', 'ports', 'runtime'],
    packages: ['kafkajs', '@kafkajs/confluent-schema-registry', 'lz4-napi', 'snappy', NODE],
  },
  {
    files: ['shared/src/runtime/**'],
    role: 'processes: configuration, log, lifecycle',
    uses: [],
    packages: ['envalid', 'pino', 'pino-pretty', NODE],
  },
  {
    files: ['shared/src/metrics/**'],
    role: 'the metrics catalogue and its server',
    uses: ['ports', 'runtime'],
    packages: ['prom-client', NODE],
  },
  {
    files: ['shared/src/tracing/**'],
    role: 'OpenTelemetry export',
    uses: ['ports', 'runtime'],
    packages: ['@opentelemetry/*'],
  },
  {
    files: ['shared/src/platform/**'],
    role: 'connects a process to everything outside',
    uses: EVERY_SHARED_FOLDER,
    packages: ['kafkajs'],
  },
  {
    files: ['shared/src/testing/**'],
    role: 'tools for the tests of every workspace',
    uses: EVERY_SHARED_FOLDER,
    packages: ['fast-check', 'kafkajs', 'mongodb', NODE],
  },
  {
    files: ['services/api/src/*.ts'],
    role: 'composition of the api',
    uses: EVERY_SHARED_FOLDER,
    packages: ['express', NODE],
  },
  {
    files: ['services/api/src/contract/**'],
    role: 'types of the wire',
    uses: ['domain'],
    packages: [],
  },
  {
    files: ['services/api/src/domain/**'],
    role: 'rules that only the api applies, pure',
    uses: ['domain'],
    packages: [],
  },
  {
    files: ['services/api/src/verify/**'],
    role: 'checks of the stored history, pure',
    uses: ['domain'],
    packages: [],
  },
  {
    files: ['services/api/src/ports/**'],
    role: 'what operations need from the outside',
    uses: ['domain', 'ports'],
    packages: [],
  },
  {
    files: ['services/api/src/views/**'],
    role: 'domain to wire',
    uses: ['domain', './contract'],
    packages: [],
  },
  {
    files: ['services/api/src/operations/**'],
    role: 'operations: rules of the business',
    uses: ['domain', 'events', 'outbox', 'ports', './contract', './domain', './ports', './views'],
    packages: [],
  },
  {
    files: ['services/api/src/mongo/**'],
    role: 'ports of the api on MongoDB',
    uses: ['domain', 'mongo', 'ports', './ports'],
    packages: ['mongodb', 'node:crypto'],
  },
  {
    files: ['services/api/src/document/**'],
    role: 'OpenAPI and AsyncAPI documents, and what is read back from them',
    uses: ['domain', 'events', 'ports', './contract', './operations'],
    packages: ['node:fs'],
  },
  {
    files: ['services/api/src/document/declarations/**'],
    role: 'declarations of the routes',
    uses: ['domain', './contract'],
    packages: ['@tsoa/runtime'],
  },
  {
    files: ['services/api/src/rate-limits/**'],
    role: 'rate limits and client keys',
    uses: ['domain', 'mongo', 'ports', 'runtime', './document'],
    packages: ['rate-limiter-flexible', 'node:net'],
  },
  {
    files: ['services/api/src/http/**'],
    role: 'REST: from a request to an operation',
    uses: [
      'domain',
      'metrics',
      'ports',
      'runtime',
      './contract',
      './document',
      './domain',
      './operations',
      './ports',
      './rate-limits',
    ],
    packages: ['express', 'typebox', NODE],
  },
  {
    files: ['services/api/src/mcp/**'],
    role: 'MCP: from a tool call to an operation',
    uses: ['domain', './document', './http', './operations'],
    packages: ['@modelcontextprotocol/sdk', 'express'],
  },
  {
    files: ['services/api/src/reference/**'],
    role: 'the API reference page',
    uses: ['./http'],
    packages: ['express', 'helmet', NODE],
  },
  {
    files: ['services/api/src/admin/**'],
    role: 'the admin command line',
    uses: [
      'domain',
      'mongo',
      'platform',
      'ports',
      'runtime',
      './domain',
      './mongo',
      './operations',
      './verify',
    ],
    packages: ['cli-progress', 'commander', NODE],
  },
  {
    files: ['services/dispatcher/src/*.ts'],
    role: 'composition of the dispatcher',
    uses: EVERY_SHARED_FOLDER,
    packages: [NODE],
  },
  {
    files: ['services/dispatcher/src/ports/**'],
    role: 'what the engine needs from the outside',
    uses: ['domain'],
    packages: [],
  },
  {
    files: ['services/dispatcher/src/engine/**'],
    role: 'delivery engine: scheduling, sending, settling',
    uses: ['domain', 'ports', 'runtime', './ports'],
    packages: ['lru-cache', 'node:crypto'],
  },
  {
    files: ['services/dispatcher/src/fan-out/**'],
    role: 'events to deliveries',
    uses: ['domain', 'events', 'ports'],
    packages: ['node:crypto'],
  },
  {
    files: ['services/dispatcher/src/post/**'],
    role: 'HTTP to receivers, name look-ups, egress checks',
    uses: ['domain', 'runtime', './ports'],
    packages: ['lru-cache', 'p-limit', 'undici', NODE],
  },
  {
    files: ['services/dispatcher/src/consumer/**'],
    role: 'Kafka consumers of engine and fan-out',
    uses: ['kafka', 'ports', 'runtime', './engine', './fan-out'],
    packages: ['kafkajs'],
  },
  {
    files: ['services/dispatcher/src/instrumentation/**'],
    role: 'metrics, logs and traces around ports',
    uses: ['domain', 'metrics', 'mongo', 'platform', 'ports', './engine', './fan-out', './ports'],
    packages: [],
  },
  {
    files: ['services/dlq-consumer/src/**', 'services/janitor/src/**'],
    role: 'composition of dlq-consumer and janitor',
    uses: EVERY_SHARED_FOLDER,
    packages: [],
  },
  {
    files: [
      'services/dlq-consumer/src/{settle-dead-letters,isolate-poison}.ts',
      'services/janitor/src/{run-tasks,remove-expired,digest,record-runs}.ts',
    ],
    role: 'rules of dlq-consumer and janitor',
    uses: ['domain', 'ports', 'runtime'],
    packages: [],
  },
  {
    files: ['client/src/**'],
    role: 'typed client of the REST API',
    uses: [],
    packages: ['openapi-fetch', 'openapi-typescript-helpers', 'standardwebhooks', NODE],
  },
];
