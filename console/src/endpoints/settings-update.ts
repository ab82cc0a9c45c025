import type { components } from '@postrider/client';
import { changedFields } from './changed-fields.js';
import { eventTypesOf, typesDraftOf } from './event-types-draft.js';

/** What the form of an endpoint edits. */
export interface EndpointSettings {
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly description: string | null;
  readonly recovery: components['schemas']['Recovery'];
}

/** The change from the settings with which the form began to the entered ones; empty if they are the same. */
export function settingsUpdate(
  began: EndpointSettings,
  entered: EndpointSettings,
): components['schemas']['UpdateWebhook'] {
  return changedFields(fieldsOf(began), fieldsOf(entered));
}

/** The order of event types has no meaning, nor have others beside all of them, and the form may change both. */
function fieldsOf({ url, eventTypes, description, recovery }: EndpointSettings) {
  return { url, eventTypes: eventTypesOf(typesDraftOf(eventTypes)).toSorted(), description, recovery };
}
