import { join } from 'node:path';
import { DECLARATION as api } from '@postrider/api/config';
import { DECLARATION as dispatcher } from '@postrider/dispatcher/config';
import { DECLARATION as dlqConsumer } from '@postrider/dlq-consumer/config';
import { DECLARATION as janitor } from '@postrider/janitor/config';
import { CHART } from './render.js';

export const CHART_SCHEMA = join(CHART, 'values.schema.json');

interface Schema {
  readonly properties: { readonly config: object };
}

/** Variables that the chart's other values set, or that its objects rely on. */
const NOT_FREE =
  /^(KAFKA_(?!SESSION)|MONGODB_|SCHEMA_REGISTRY_|ENCRYPTION_KEYS|OTEL_EXPORTER_OTLP_HEADERS|TOPIC_PREFIX|PORT$|\w+_PORT$|FAILPOINTS|LOG_PRETTY)/;

/** What Node reads by itself. */
const OF_NODE = { NODE_OPTIONS: { desc: "Node's own options; they replace the image's" } };

/** The chart's schema with every variable that its `config` may have: a misspelt one is refused before anything starts. */
export function withVariables(schema: Schema): Schema {
  const declared: Record<string, { readonly desc?: string }> = {
    ...api,
    ...dispatcher,
    ...dlqConsumer,
    ...janitor,
    ...OF_NODE,
  };
  const free = Object.entries(declared).filter(([name]) => !NOT_FREE.test(name));
  const type = ['string', 'number', 'boolean'];
  const properties = Object.fromEntries(free.map(([name, { desc }]) => [name, { type, description: desc }]));
  const config = { type: 'object', additionalProperties: false, properties };
  return { ...schema, properties: { ...schema.properties, config } };
}
