import type { SearchedEndpoint } from '@postrider/shared/domain/endpoint';
import { Refusal } from './refusal.js';
import { createTextSearch, type TextSearch } from './text-search.js';

/** The conditions on stored fields; null matches all. */
export interface EndpointSearch {
  /** Searches in lower case. */
  readonly text: TextSearch | null;
  readonly metadata: { readonly name: string; readonly value: string } | null;
}

/** @throws Refusal `InvalidRequest` when the metadata is not a name and a value */
export function endpointSearch(asked: {
  readonly text?: string | undefined;
  readonly metadata?: string | undefined;
}): EndpointSearch {
  const text = asked.text?.trim().toLowerCase() ?? '';
  return {
    text: text === '' ? null : createTextSearch(text),
    metadata: asked.metadata === undefined ? null : nameAndValue(asked.metadata),
  };
}

/** The first colon ends the name. */
function nameAndValue(text: string): EndpointSearch['metadata'] {
  const end = text.indexOf(':');
  if (end > 0) return { name: text.slice(0, end), value: text.slice(end + 1) };
  throw Refusal.invalid({
    path: 'metadata',
    message: 'must be a name and a value, such as customer:acme',
  });
}

/** Whether an endpoint has the text in its id, URL, description or event types, and the metadata. */
export function matchesSearch(endpoint: SearchedEndpoint, { text, metadata }: EndpointSearch): boolean {
  if (metadata !== null && !hasMetadata(endpoint, metadata)) return false;
  return text === null || text(textOf(endpoint));
}

function hasMetadata(
  { metadata }: SearchedEndpoint,
  wanted: NonNullable<EndpointSearch['metadata']>,
): boolean {
  return (metadata ?? []).some(({ name, value }) => name === wanted.name && value === wanted.value);
}

function textOf({ id, url, description, subscriptions }: SearchedEndpoint): string {
  const types = subscriptions.map(({ eventType }) => eventType);
  return [id, url, description ?? '', ...types].join('\n').toLowerCase();
}

/** The number of subscriptions of these endpoints together. */
export function countSubscriptions(endpoints: readonly Pick<SearchedEndpoint, 'subscriptions'>[]): number {
  return endpoints.reduce((count, { subscriptions }) => count + subscriptions.length, 0);
}
