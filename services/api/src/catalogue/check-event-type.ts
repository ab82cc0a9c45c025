import { compileEventType } from '@postrider/shared/catalogue/compile-event-type';
import type { EventTypeDefinition } from '@postrider/shared/catalogue/event-type-definition';
import type { Mistake } from '@postrider/shared/catalogue/mistake';
import { isEventTypeName, isReservedName, RESERVED_PREFIXES } from '@postrider/shared/domain/event-type';
import { unstorableParts } from '@postrider/shared/domain/unstorable';
import { mistakesOfSchema } from './check-schema.js';
import type { PlacedType } from './parse-catalogue.js';

const MAX_EXAMPLE_CHARACTERS = 64 * 1024;

/** Every mistake in one event type on its own, except in its form, with paths relative to the type. */
export function mistakesOfType({ name, schema, definition }: PlacedType): readonly Mistake[] {
  const ofSchema = schema === null ? [] : mistakesOfSchema(schema);
  return [
    ...(name === null ? [] : mistakesOfName(name)),
    ...ofSchema,
    ...(definition !== null && ofSchema.length === 0 ? mistakesOfExamples(definition) : []),
  ];
}

function mistakesOfName(name: string): readonly Mistake[] {
  if (!isEventTypeName(name)) {
    const message =
      'must be 2 to 5 words joined by dots, of lower-case letters, digits and _, at most 100 characters: like invoice.paid';
    return [{ path: 'name', message }];
  }
  if (!isReservedName(name)) return [];
  return [{ path: 'name', message: `is reserved, as all names with ${RESERVED_PREFIXES.join(', ')} are` }];
}

function mistakesOfExamples(type: EventTypeDefinition): readonly Mistake[] {
  const compiled = compileEventType(type);
  return type.examples.flatMap((example, index) => {
    const place = `examples[${index}]`;
    if (JSON.stringify(example).length > MAX_EXAMPLE_CHARACTERS)
      return [{ path: place, message: `is larger than ${MAX_EXAMPLE_CHARACTERS} characters` }];
    const checked = compiled.accept(example);
    const mistakes = 'mistakes' in checked ? checked.mistakes : unstorableParts(example, 'unchanged');
    return mistakes.map(({ path, message }) => ({
      path: path === '' ? place : `${place}${path.startsWith('[') ? '' : '.'}${path}`,
      message,
    }));
  });
}
