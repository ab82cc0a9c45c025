import type { Readable } from 'node:stream';
import type { components } from '@postrider/client';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseHeadersToSend } from '../context/parse-headers.js';
import { positive } from '../context/parse-options.js';
import { parseObject, readText } from '../context/read-input.js';

type Webhook = components['schemas']['Webhook'];
type Body = Pick<
  components['schemas']['UpdateWebhook'],
  'headers' | 'metadata' | 'filter' | 'ratePerSecond' | 'signing' | 'recovery'
>;

const SIGNING = ['hmac-sha256', 'ed25519'] as const satisfies readonly Webhook['signing'][];
const RECOVERY = ['manual', 'probe'] as const satisfies readonly Webhook['recovery'][];

/** The fields that each value of `--reset` resets. */
const RESETS = {
  headers: { headers: null },
  metadata: { metadata: null },
  filter: { filter: null },
  rate: { ratePerSecond: null },
  signing: { signing: null },
} as const satisfies Readonly<Record<string, Body>>;
type Reset = keyof typeof RESETS;

export interface EndpointOptions {
  readonly headers?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly filter?: string;
  readonly rate?: number;
  readonly signing?: Webhook['signing'];
  readonly recovery?: Webhook['recovery'];
  readonly reset?: readonly Reset[];
}

export function addEndpointOptions(command: Command): Command {
  return command
    .option(
      '--headers <file>',
      'request headers for the receiver: JSON, or `name: value` lines; - for standard input',
    )
    .option('--metadata <name=value>', 'for your own use; can be repeated', pairs)
    .option('--filter <file>', 'JSON file: only events whose payload matches; - for standard input')
    .option('--rate <count>', 'maximum number of POSTs per second', positive)
    .addOption(new Option('--signing <method>', 'how deliveries are signed').choices(SIGNING))
    .addOption(
      new Option('--recovery <kind>', 'what enables it again after failures have disabled it').choices(
        RECOVERY,
      ),
    );
}

/** Reads the files and builds the request's fields. Headers are not arguments, because other users can list those. */
export async function readEndpointOptions(stdin: Readable, options: EndpointOptions): Promise<Body> {
  const { headers, metadata, filter, rate, signing, recovery, reset = [] } = options;
  return Object.assign(
    {},
    ...reset.map((name) => RESETS[name]),
    headers !== undefined && { headers: parseHeadersToSend(await readText(stdin, headers), headers) },
    metadata !== undefined && { metadata },
    filter !== undefined && { filter: parseObject(await readText(stdin, filter), filter) },
    rate !== undefined && { ratePerSecond: rate },
    signing !== undefined && { signing },
    recovery !== undefined && { recovery },
  ) as Body;
}

/** Collects `name=value` pairs. */
export function pairs(text: string, before: Readonly<Record<string, string>> = {}) {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) throw new InvalidArgumentError('Give name=value.');
  return { ...before, [name]: value };
}

/** Names of options to reset, separated by commas. */
export function resets(text: string): readonly Reset[] {
  return text.split(',').map((name) => {
    if (!Object.hasOwn(RESETS, name)) {
      throw new InvalidArgumentError(`Give some of ${Object.keys(RESETS).join(', ')}.`);
    }
    return name as Reset;
  });
}
