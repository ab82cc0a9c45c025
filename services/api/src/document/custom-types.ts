import type { CustomEventType } from '@postrider/shared/catalogue/catalogue';
import type { Schema } from './openapi.js';

const ENVELOPE = {
  eventId: 'evt_01krzmb7g0a5w9n2x4c8v1j6th',
  occurredAt: '2026-03-01T09:30:00.000Z',
  workspaceId: 'ws_01krzmb7g0a5w9n2x4c8v1j6th',
};

/** A custom event type as the documents show it. */
export interface DocumentedType {
  readonly name: string;
  readonly description: string;
  readonly deprecated: boolean;
  /** The schema of the whole payload. */
  readonly payload: Schema;
  /** Examples of the whole payload. */
  readonly examples: readonly object[];
}

export function documentedType({ definition, registered }: CustomEventType): DocumentedType {
  const { name, description, deprecated, examples } = definition;
  const { $schema: _, ...payload } = registered();
  return {
    name,
    description,
    deprecated,
    payload,
    examples: examples.map((example) => ({ ...ENVELOPE, ...example })),
  };
}
