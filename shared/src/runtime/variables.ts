import { readFileSync } from 'node:fs';
import { exactly } from './config.js';
import { FAILPOINTS, SWITCHES } from './failpoints.js';
import { isHttpUrl } from './is-http-url.js';
import type { EncryptionKey } from './secret-box.js';

export const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** Parses a duration like `250ms`, `30s`, `5m`, `24h`, `30d` to milliseconds. */
export function parseDuration(text: string): number {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text) ?? [];
  if (amount === undefined)
    throw new Error(`"${text}" is not a duration: write it like 250ms, 30s, 5m or 24h`);
  return Number(amount) * UNITS[unit as keyof typeof UNITS];
}

interface DurationBounds {
  readonly least: string;
  readonly most: string;
}

/** A duration within bounds. Timers support at most 24 days. */
export const duration = ({ least, most }: DurationBounds) =>
  exactly<number>('duration', (text) => {
    const ms = parseDuration(text);
    if (ms < parseDuration(least) || ms > parseDuration(most))
      throw new Error(`"${text}" is not within ${least} and ${most}`);
    return ms;
  });

/** A whole number of at least `min`, and at most `max` if it is given. */
export const wholeNumber = (min: number, max = Number.POSITIVE_INFINITY) =>
  exactly<number>('number', (text) => {
    const bounds = max === Number.POSITIVE_INFINITY ? `of at least ${min}` : `from ${min} to ${max}`;
    if (!/^\d{1,15}$/.test(text) || Number(text) < min || Number(text) > max)
      throw new Error(`"${text}" is not a whole number ${bounds}`);
    return Number(text);
  });

/** The replication factor of topics; -1 is the broker's default. */
export const replicationFactor = exactly<number>('number', (text) => {
  if (!/^(-1|[1-9]\d{0,4})$/.test(text)) throw new Error(`"${text}" is neither -1 nor a whole number from 1`);
  return Number(text);
});

/** A fraction from 0 to 1. */
export const fraction = exactly<number>('number', (text) => {
  if (!/^(0(\.\d{1,9})?|1(\.0{1,9})?)$/.test(text)) throw new Error(`"${text}" is not a number from 0 to 1`);
  return Number(text);
});

/** A TCP port; 0 lets the system choose a free one. */
export const port = exactly<number>('number', (text) => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error(`"${text}" is not a port from 0 to 65535`);
  return Number(text);
});

/** The words of a comma-separated list. */
export const words = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** A comma-separated list; empty is an empty list. */
export const list = exactly<string[]>('list', (text) => words(text));

/** A prefix of topic names. Kafka allows 249 characters for prefix and name. */
export const topicPrefix = exactly<string>('text', (text) => {
  if (!/^[A-Za-z0-9._-]{0,200}$/.test(text))
    throw new Error(
      `"${text}" is not a topic prefix: at most 200 characters of A-Z, a-z, 0-9, ".", "_" and "-"`,
    );
  return text;
});

/** `host:port` with a name, an IPv4 address or an IPv6 address in brackets. */
function isHostWithPort(word: string): boolean {
  return /^(?:[^\s:/@?#]+|\[[0-9a-fA-F:.]+\]):\d{1,5}$/.test(word) && URL.canParse(`http://${word}`);
}

/** Kafka's bootstrap list: `host:port`, comma-separated, at least one. */
export const brokers = exactly<string[]>('list', (text) => {
  const listed = words(text);
  const invalid = listed.find((broker) => !isHostWithPort(broker));
  if (invalid !== undefined) throw new Error(`"${invalid}" is not a broker: write it like kafka-0:9092`);
  if (listed.length === 0) throw new Error('names no broker');
  return listed;
});

/** Servers by `host:port`, comma-separated; empty is an empty list. */
export const servers = exactly<string[]>('list', (text) => {
  const listed = words(text);
  const invalid = listed.find((server) => !isHostWithPort(server));
  if (invalid !== undefined)
    throw new Error(
      `"${invalid}" is not a server: write it like one.one.one.one:443 or [2606:4700:4700::1111]:443`,
    );
  return listed;
});

/** A MongoDB connection string with a database name. Errors do not repeat it, because it may contain a password. */
export const mongoUri = exactly<string>('text', (text) => {
  if (!/^mongodb(\+srv)?:\/\/[^/]/.test(text)) throw new Error('is not a mongodb:// connection string');
  if (!/^[^/]+\/\/[^/]+\/[^/?]/.test(text)) throw new Error('names no database');
  refuseWeakWrites(text);
  return text;
});

/**
 * The driver adds these options of a connection string to the write concern that is set here, w: majority and journaled, under
 * either of their names and in any case.
 */
function refuseWeakWrites(uri: string): void {
  const [, query = ''] = /\?(.*)$/.exec(uri) ?? [];
  for (const [name, value] of new URLSearchParams(query.replaceAll(';', '&'))) {
    if (/^(journal|j)$/i.test(name) && value !== 'true')
      throw new Error(`has ${name}=${value}: leave it out, a write that is not journaled may be lost`);
    if (/^wtimeout(ms)?$/i.test(name))
      throw new Error(
        `has ${name}: leave it out, a write that fails after this time may be stored all the same`,
      );
  }
}

/** An HTTP or HTTPS URL. */
export const httpUrl = exactly<string>('text', (text) => {
  if (!isHttpUrl(text)) throw new Error('is not an http:// or https:// URL');
  return text;
});

/** An HTTP or HTTPS URL, or empty. */
export const optionalHttpUrl = exactly<string>('text', (text) => {
  if (text !== '' && !isHttpUrl(text)) throw new Error('is not an http:// or https:// URL');
  return text;
});

/** `name=value`, comma-separated, values URL-encoded. Errors do not repeat it, because it may contain a secret. */
export const otlpHeaders = exactly<Record<string, string>>('list', (text) => {
  const pairs = words(text).map((word) => /^([\w-]+)=(.*)$/.exec(word));
  const headers: Record<string, string> = {};
  for (const [at, pair] of pairs.entries()) {
    if (pair === null) throw new Error(`header ${at + 1} is not of the form name=value`);
    const [, name = '', value = ''] = pair;
    headers[name] = decodeURIComponent(value);
  }
  return headers;
});

/** A PEM file, read immediately. Errors do not repeat PEM text in place of its path. @param block the required block, like `CERTIFICATE` */
export const pemFile = (block: string) =>
  exactly<string>('text', (path) => {
    if (path.includes('-----BEGIN')) throw new Error('is PEM text: give the path of a file that contains it');
    const text = readText(path);
    if (!new RegExp(`-----BEGIN [A-Z0-9 ]*${block}-----`).test(text))
      throw new Error(`"${path}" contains no PEM block ${block}`);
    return text;
  });

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : error;
    throw new Error(`"${path}" cannot be read (${code})`, { cause: error });
  }
}

/** Keys for secrets at rest: `id:base64 of 32 bytes`, comma-separated; the first key encrypts, all keys decrypt. */
export const encryptionKeys = exactly<EncryptionKey[]>('list', (text) => {
  const keys = words(text).map((word) => {
    const [id = '', encoded] = word.split(':');
    const key = Buffer.from(encoded ?? '', 'base64');
    // Without a colon the id may be the key itself, so it is not repeated.
    if (encoded === undefined || !/^[A-Za-z0-9_-]{1,32}$/.test(id))
      throw new Error('each key must have the form id:base64, with the id in [A-Za-z0-9_-]');
    if (key.length !== 32) throw new Error(`key "${id}" has ${key.length} bytes instead of 32`);
    return { id, key };
  });
  if (keys.length === 0) throw new Error('names no key');
  if (new Set(keys.map(({ id }) => id)).size < keys.length) throw new Error('names a key id twice');
  return keys;
});

/** Failpoints as `name` or `name:n`, switches as `name:off`, comma-separated. */
export const failpointSpecs = exactly<string[]>('list', (text) => {
  const specs = words(text);
  const unknown = specs.find((spec) => !isFailpoint(spec) && !isSwitch(spec));
  if (unknown !== undefined) {
    const known = [...FAILPOINTS, ...SWITCHES.map((name) => `${name}:off`)];
    throw new Error(`"${unknown}" is not a failpoint: ${known.join(', ')}`);
  }
  return specs;
});

function isFailpoint(spec: string): boolean {
  return /^[a-z._]+(:[1-9]\d{0,8})?$/.test(spec) && FAILPOINTS.some((name) => name === spec.split(':')[0]);
}

function isSwitch(spec: string): boolean {
  return SWITCHES.some((name) => spec === `${name}:off`);
}
