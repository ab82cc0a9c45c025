import type { Operation } from '../../src/document/openapi.js';

/** Whether a response ends by itself. Streams are tested with their topics. */
export function answersOnce({ responses }: Operation): boolean {
  return !JSON.stringify(responses).includes('text/event-stream');
}
