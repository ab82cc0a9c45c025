import { DECLARATION as api } from '@postrider/api/config';
import { DECLARATION as dispatcher } from '@postrider/dispatcher/config';
import { DECLARATION as dlqConsumer } from '@postrider/dlq-consumer/config';
import { DECLARATION as janitor } from '@postrider/janitor/config';
import { TOPICS } from '@postrider/shared/runtime/common-config';

/** The parts of a declaration that the table shows. */
interface Declared {
  readonly desc?: string;
  readonly default?: unknown;
  readonly choices?: readonly unknown[];
  readonly requiredWhen?: unknown;
  readonly _parse: (text: string) => unknown;
}

const SERVICES: Readonly<Record<string, Readonly<Record<string, Declared>>>> = {
  api,
  dispatcher,
  'dlq-consumer': dlqConsumer,
  janitor,
} as unknown as Record<string, Record<string, Declared>>;

/** Read by an operator's command only. */
const COMMANDS = { 'admin migrate': TOPICS } as unknown as typeof SERVICES;
const READERS = { ...SERVICES, ...COMMANDS };

const HEAD = '| variable | read by | written as | default | meaning |\n|---|---|---|---|---|';
const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const;

/** The table of environment variables, from their declarations. */
export function variablesTable(): string {
  const declared = Object.assign({}, ...Object.values(READERS)) as Record<string, Declared>;
  const rows = Object.entries(declared).map(([name, variable]) => {
    const readers = Object.keys(READERS).filter((reader) => name in (READERS[reader] ?? {}));
    const readBy = readers.length === Object.keys(SERVICES).length ? 'all' : readers.join(', ');
    const meaning = (variable.desc ?? '').replaceAll('|', '\\|');
    return `| \`${name}\` | ${readBy} | ${formOf(variable)} | ${defaultOf(variable)} | ${meaning} |`;
  });
  return [HEAD, ...rows].join('\n');
}

/** How its value is written, found by parsing examples. */
function formOf(variable: Declared): string {
  if (variable.choices !== undefined) return variable.choices.map((choice) => `\`${choice}\``).join(', ');
  if (parses(variable, '90s') === 90_000) return 'span of time';
  if (parses(variable, 'true') === true) return '`true`, `false`';
  if (parses(variable, '3') === 3) return 'number';
  return typeof variable.default === 'object' ? 'list, comma-separated' : 'text';
}

function parses({ _parse }: Declared, text: string): unknown {
  try {
    return _parse(text);
  } catch {
    return undefined;
  }
}

function defaultOf(variable: Declared): string {
  if (!('default' in variable)) return '*required*';
  const { default: value } = variable;
  if (value === undefined || typeof value === 'function') return '*none*';
  if (value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)) return '*empty*';
  return `\`${typeof value === 'number' && formOf(variable) === 'span of time' ? span(value) : value}\``;
}

function span(milliseconds: number): string {
  const [unit, size] = UNITS.find(([, of]) => milliseconds >= of && milliseconds % of === 0) ?? ['ms', 1];
  return `${milliseconds / size}${unit}`;
}
