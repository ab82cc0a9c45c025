import type { Received } from './inbox.js';

/** One line about a webhook for the terminal. */
export function describeReceived({ at, eventType, id, verified, duplicate, status }: Received): string {
  const clock = at.slice(11, 23);
  const signature = verified ? 'verified ✓' : 'signature ✗';
  const again = duplicate ? ' (seen before)' : '';
  return `${clock}  ${eventType ?? 'no event type'}  ${shorten(id)}  ${signature}${again}  answered ${status}`;
}

const SHOWN_CHARACTERS = 6;

/** The end of an id, where ids made in the same second differ. */
function shorten(id: string | null): string {
  if (id === null) return 'no webhook-id';
  return id.length <= SHOWN_CHARACTERS ? id : `…${id.slice(-SHOWN_CHARACTERS)}`;
}
