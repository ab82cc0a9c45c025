import { type Catalogue, createCatalogue, EMPTY_CATALOGUE } from '../catalogue/catalogue.js';
import type { StoredEventType } from '../catalogue/event-type-definition.js';
import type { CatalogueView } from '../ports/catalogue.js';

/** A catalogue that tests set. */
export interface FixedCatalogue extends CatalogueView {
  set(types: readonly StoredEventType[]): void;
}

export function fixedCatalogue(types: readonly StoredEventType[] = []): FixedCatalogue {
  let catalogue: Catalogue = createCatalogue(1, types, EMPTY_CATALOGUE);
  return {
    current: () => catalogue,
    refresh: async () => catalogue,
    set(changed) {
      catalogue = createCatalogue(catalogue.version + 1, changed, catalogue);
    },
  };
}

/** A custom event type. */
export function anEventType(overrides: Partial<StoredEventType> = {}): StoredEventType {
  return {
    name: 'invoice.paid',
    description: 'An invoice was paid.',
    schema: {
      type: 'object',
      required: ['invoiceId', 'amount'],
      properties: {
        invoiceId: { type: 'string' },
        amount: { type: 'integer', minimum: 0 },
        customer: { type: 'object', properties: { id: { type: 'string' } } },
      },
    },
    examples: [{ invoiceId: 'in_1', amount: 4200 }],
    deprecated: false,
    version: 1,
    ...overrides,
  };
}
