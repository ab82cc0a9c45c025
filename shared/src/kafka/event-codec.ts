import type { CatalogueView } from '../ports/catalogue.js';
import { EVENTS_TOPIC } from '../ports/topics.js';
import type { CustomCodec } from './custom-codec.js';
import type { SchemaCodec } from './schema-registry.js';

interface EventCodecParts {
  readonly builtIn: SchemaCodec;
  readonly custom: CustomCodec;
  readonly catalogue: CatalogueView;
}

const PREFIX = `${EVENTS_TOPIC}-`;

/** Encodes events of built-in and custom types. A custom type that this process does not know yet is looked up. */
export function createEncode({ builtIn, custom, catalogue }: EventCodecParts): SchemaCodec['encode'] {
  return async (subject, value) => {
    if (builtIn.has(subject) || !subject.startsWith(PREFIX)) return builtIn.encode(subject, value);
    const name = subject.slice(PREFIX.length);
    const type = catalogue.current().types.get(name) ?? (await catalogue.refresh()).types.get(name);
    return type === undefined ? builtIn.encode(subject, value) : custom.encode(type, value);
  };
}
