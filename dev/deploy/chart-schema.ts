import { DECLARATION as api } from '@postrider/api/config';
import { DECLARATION as dispatcher } from '@postrider/dispatcher/config';
import { DECLARATION as dlqConsumer } from '@postrider/dlq-consumer/config';
import { DECLARATION as janitor } from '@postrider/janitor/config';

interface Schema {
  readonly properties: { readonly config: object };
}

/** Variables that the chart's other values or templates set. */
const NOT_FREE =
  /^(KAFKA_(?!SESSION)|MONGODB_|SCHEMA_REGISTRY_|ENCRYPTION_KEYS|OTEL_EXPORTER_OTLP_HEADERS|TOPIC_PREFIX|PORT$|\w+_PORT$|FAILPOINTS|LOG_PRETTY)/;

/** Read by Node. */
const OF_NODE = { NODE_OPTIONS: { desc: "Node's own options; they replace the image's" } };

/** The chart's schema with every variable that its `config` may have, so that Helm rejects misspelt ones. */
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
