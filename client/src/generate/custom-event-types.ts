import { comment, type JsonSchema, key, typeOfSchema } from './type-of-schema.js';

/** Types cannot be generated from this document. */
export class UnusableDocument extends Error {}

const ENVELOPE = ['eventId', 'occurredAt', 'workspaceId'];

/**
 * A TypeScript module with the custom event types of an OpenAPI document of Postrider, in the order of their names.
 *
 * @param document as parsed from JSON
 * @throws UnusableDocument
 */
export function customEventTypes(document: unknown): {
  readonly code: string;
  readonly names: readonly string[];
} {
  if (!isObject(document) || !isObject(document.webhooks)) {
    throw new UnusableDocument('it has no section "webhooks": is it the /openapi.json of Postrider?');
  }
  const types = Object.entries(document.webhooks)
    .flatMap(([name, item]) => customType(name, item))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  return {
    names: types.map(({ name }) => name),
    code: [
      '// Written by "postrider-client generate" from the OpenAPI document of a Postrider installation. Do not edit.',
      '',
      '/** The data of custom events, by event type. */',
      // Not an interface, which is not assignable to `AnyEvents`: a client with these types is also one without.
      'export type CustomEvents = {',
      ...types.flatMap(({ name, data }) => [
        ...comment(data, '  '),
        `  readonly ${key(name)}: ${typeOfSchema(data, '  ')};`,
      ]),
      '};',
      '',
    ].join('\n'),
  };
}

interface CustomType {
  readonly name: string;
  readonly data: JsonSchema;
}

/** @returns nothing for a built-in type */
function customType(name: string, item: unknown): readonly CustomType[] {
  const post = at(item, 'post');
  if (at(post, 'x-built-in') === true) return [];
  const body = at(at(at(post, 'requestBody'), 'content'), 'application/json');
  const payload = at(at(at(body, 'schema'), 'properties'), 'payload');
  const properties = at(payload, 'properties');
  if (!isObject(payload) || !isObject(properties)) {
    throw new UnusableDocument(`webhooks["${name}"] has no payload with properties`);
  }
  const own = Object.entries(properties).filter(([field]) => !ENVELOPE.includes(field));
  return [{ name, data: { ...payload, properties: Object.fromEntries(own) } as JsonSchema }];
}

function at(value: unknown, field: string): unknown {
  return isObject(value) ? value[field] : undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
