import { DECLARATION as api } from '@postrider/api/config';
import { DECLARATION as dispatcher } from '@postrider/dispatcher/config';
import { DECLARATION as dlqConsumer } from '@postrider/dlq-consumer/config';
import { DECLARATION as janitor } from '@postrider/janitor/config';
import { CATALOGUE, TOPICS } from '@postrider/shared/platform/migration-config';
import type { Form } from '@postrider/shared/runtime/config';
import { UNITS } from '@postrider/shared/runtime/variables';
import { table } from './tables.js';

/** The parts of a declaration that the table shows. */
interface Declared {
  readonly desc?: string;
  readonly default?: unknown;
  readonly choices?: readonly unknown[];
  readonly form: Form;
}

type Declarations = Readonly<Record<string, Readonly<Record<string, Declared>>>>;

const SERVICES = { api, dispatcher, 'dlq-consumer': dlqConsumer, janitor } as unknown as Declarations;
/** Some variables are read only by an operator's command. */
const READERS: Declarations = {
  ...SERVICES,
  'admin migrate': { ...TOPICS, ...CATALOGUE } as unknown as Declarations[string],
};

function declarationsOf(readers: Declarations): Declarations[string] {
  return Object.assign({}, ...Object.values(readers));
}

/** The table of environment variables, from their declarations. */
export function variablesTable(): string {
  const rows = Object.entries(declarationsOf(READERS)).map(([name, variable]) => {
    const readers = Object.keys(READERS).filter((reader) => name in (READERS[reader] ?? {}));
    const readBy = readers.length === Object.keys(SERVICES).length ? 'all' : readers.join(', ');
    const meaning = (variable.desc ?? '').replaceAll('|', '\\|');
    return [`\`${name}\``, readBy, formOf(variable), defaultOf(variable), meaning];
  });
  return table(['variable', 'read by', 'written as', 'default', 'meaning'], rows);
}

const WRITTEN: Readonly<Record<Form, string>> = {
  boolean: '`true`, `false`',
  duration: 'duration',
  list: 'list, comma-separated',
  number: 'number',
  text: 'text',
};

function formOf({ choices, form }: Declared): string {
  return choices?.map((choice) => `\`${choice}\``).join(', ') ?? WRITTEN[form];
}

/** Its default, in the format of the variable's value. */
function defaultOf(variable: Declared): string {
  if (!('default' in variable)) return '*required*';
  const { default: value, form } = variable;
  if (value === undefined || typeof value === 'function') return '*none*';
  if (value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return '*empty*';
  return `\`${form === 'duration' ? duration(Number(value)) : value}\``;
}

function duration(milliseconds: number): string {
  const fits = ([, of]: readonly [string, number]) => milliseconds >= of && milliseconds % of === 0;
  const [unit, size] = Object.entries(UNITS).findLast(fits) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}

interface ChartSchema {
  readonly properties: { readonly config: object };
}

/** Variables that the chart's other values or templates set. */
const NOT_FREE =
  /^(KAFKA_(?!SESSION)|MONGODB_|SCHEMA_REGISTRY_|ENCRYPTION_KEYS|OTEL_EXPORTER_OTLP_(HEADERS|CERTIFICATE)|TOPIC_PREFIX|PORT$|\w+_PORT$|FAILPOINTS|LOG_PRETTY)/;

/** Read by Node. */
const OF_NODE: Declarations[string] = {
  NODE_OPTIONS: { desc: "Node's own options; they replace the image's", form: 'text' },
};

const TRUTH_VALUES = 'true|t|yes|on|1|false|f|no|off|0';
const ANY_SCALAR = { type: ['string', 'number', 'boolean'] };
/** What the chart accepts for each form. `helm --set` passes some numbers as strings. */
const ACCEPTED: Readonly<Record<Form, object>> = {
  boolean: { type: ['boolean', 'string', 'integer'], minimum: 0, maximum: 1, pattern: `^(${TRUTH_VALUES})$` },
  duration: { type: 'string', pattern: `^[0-9]{1,9}(${Object.keys(UNITS).join('|')})$` },
  list: ANY_SCALAR,
  number: { type: ['string', 'number'], minimum: 0, pattern: '^[0-9]{1,15}(\\.[0-9]{1,9})?$' },
  text: ANY_SCALAR,
};

/** What only the chart restricts. Its probes connect to the pod's address, on which a process with any other HOST does not listen. */
const CHOICES_IN_CHART: Readonly<Record<string, Declared['choices']>> = { HOST: ['', '0.0.0.0', '::'] };

/** The chart's schema with every variable that its `config` may have, so that Helm rejects misspelt ones and wrong values. */
export function withVariables(schema: ChartSchema): ChartSchema {
  const declared = { ...declarationsOf(SERVICES), ...OF_NODE };
  const free = Object.entries(declared).filter(([name]) => !NOT_FREE.test(name));
  const properties = Object.fromEntries(
    free.map(([name, { desc, choices = CHOICES_IN_CHART[name], form }]) => [
      name,
      { ...(choices === undefined ? ACCEPTED[form] : { enum: choices }), description: desc },
    ]),
  );
  const config = { type: 'object', additionalProperties: false, properties };
  return { ...schema, properties: { ...schema.properties, config } };
}
