import type { components } from '@postrider/client';
import { filterMistakes } from '@postrider/shared/domain/check-filter';
import type { EventFilter } from '@postrider/shared/domain/event-filter';
import { texts } from '../texts/en.js';
import type { Pair } from '../ui/pairs-field.js';
import { changedFields } from './changed-fields.js';

type Webhook = components['schemas']['Webhook'];
type Update = components['schemas']['UpdateWebhook'];

export const HEADER_CHANGES = ['keep', 'replace', 'remove'] as const;

/** The options of an endpoint as they are edited. */
export interface OptionsDraft {
  /** The values of the current headers are unknown, so they are kept or replaced as a whole. */
  readonly headerChange: (typeof HEADER_CHANGES)[number];
  readonly headers: readonly Pair[];
  readonly metadata: readonly Pair[];
  readonly ratePerSecond: string;
  readonly signing: Webhook['signing'];
  /** JSON; empty for no filter. */
  readonly filter: string;
}

export type OptionsMistakes = Partial<
  Readonly<Record<'headers' | 'metadata' | 'ratePerSecond' | 'filter', string>>
>;

export function draftOf({ headerNames, metadata, ratePerSecond, signing, filter }: Webhook): OptionsDraft {
  return {
    headerChange: headerNames.length === 0 ? 'replace' : 'keep',
    headers: [],
    metadata: Object.entries(metadata).map(([name, value]) => ({ name, value })),
    ratePerSecond: ratePerSecond === null ? '' : String(ratePerSecond),
    signing,
    filter: filter === null ? '' : JSON.stringify(filter, null, 2),
  };
}

/** What cannot be sent to the endpoint with which the form began. What the values may be is the api's decision. */
export function mistakesOf(draft: OptionsDraft, { headerNames }: Webhook): OptionsMistakes {
  const { headerChange, headers, metadata, ratePerSecond, filter } = draft;
  const read = readFilter(filter);
  const replacesByNone = headerChange === 'replace' && headers.length === 0 && headerNames.length > 0;
  return {
    ...(isRepeated(headers) && { headers: texts.options.repeated }),
    ...(replacesByNone && { headers: texts.options.noReplacement }),
    ...(isRepeated(metadata) && { metadata: texts.options.repeated }),
    ...(!/^\d*$/.test(ratePerSecond.trim()) && { ratePerSecond: texts.options.wholeNumber }),
    ...('mistake' in read && { filter: read.mistake }),
  };
}

/** The change from the endpoint with which the form began to a draft without mistakes; empty if it changes nothing. */
export function updateOf(draft: OptionsDraft, began: Webhook): Update {
  const { headerChange, headers } = draft;
  return {
    ...changedFields(fieldsOf(draftOf(began)), fieldsOf(draft)),
    ...(headerChange === 'remove' && { headers: null }),
    ...(headerChange === 'replace' && headers.length > 0 && { headers: objectOf(headers) }),
  };
}

/** Headers are not among them: their current values are unknown. */
function fieldsOf({ metadata, ratePerSecond, signing, filter }: OptionsDraft) {
  const rate = ratePerSecond.trim();
  const read = readFilter(filter);
  return {
    metadata: objectOf(metadata),
    ratePerSecond: rate === '' ? null : Number(rate),
    signing,
    filter: 'filter' in read ? read.filter : null,
  };
}

/** Reads a filter by the rules of the api. Null for none. */
export function readFilter(
  text: string,
): { readonly filter: EventFilter | null } | { readonly mistake: string } {
  if (text.trim() === '') return { filter: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { mistake: texts.options.invalidJson(error instanceof Error ? error.message : '') };
  }
  const mistakes = filterMistakes(value, 'filter');
  if (mistakes.length === 0) return { filter: value as EventFilter };
  return { mistake: mistakes.map(({ path, message }) => `${path} ${message}`).join('; ') };
}

function isRepeated(pairs: readonly Pair[]): boolean {
  return new Set(pairs.map(({ name }) => name.trim())).size < pairs.length;
}

function objectOf(pairs: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name.trim(), value]));
}
