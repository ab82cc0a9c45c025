import type { EventTypeDefinition } from '@postrider/shared/catalogue/event-type-definition';
import { stringify } from 'yaml';

/** Formats types as a catalogue file. */
export function formatCatalogue(types: readonly EventTypeDefinition[], format: 'yaml' | 'json'): string {
  const file = {
    eventTypes: types.map(({ name, description, deprecated, schema, examples }) => ({
      name,
      description,
      ...(deprecated && { deprecated }),
      schema,
      examples,
    })),
  };
  return format === 'json'
    ? JSON.stringify(file, null, 2)
    : stringify(file, { aliasDuplicateObjects: false }).trimEnd();
}
