import { hash } from 'node:crypto';

/** Every kind of resource and the prefix that its identifiers carry. */
export const ID_PREFIXES = {
  workspace: 'ws',
  member: 'mem',
  invitation: 'inv',
  token: 'tok',
  endpoint: 'whe',
  delivery: 'whd',
  event: 'evt',
  notification: 'ntf',
  audit: 'aud',
  portalLink: 'ptl',
  replayJob: 'rpl',
  conformanceCheck: 'chk',
} as const;
export type IdKind = keyof typeof ID_PREFIXES;

declare const idKind: unique symbol;
/** The identifier of one kind of resource: a string that the compiler distinguishes from those of other kinds. */
export type Id<Kind extends IdKind = IdKind> = string & { readonly [idKind]: Kind };
export type WorkspaceId = Id<'workspace'>;
export type EndpointId = Id<'endpoint'>;
export type DeliveryId = Id<'delivery'>;
export type TokenId = Id<'token'>;
export type ReplayJobId = Id<'replayJob'>;
export type ConformanceCheckId = Id<'conformanceCheck'>;

/** A type with its identifiers as plain text: what is stored, sent or received before it is decoded. */
export type PlainIds<T> = T extends Id ? string : T;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const TIME_LENGTH = 10;
const TAIL_BYTES = 10;

/**
 * A sortable identifier: prefix, milliseconds, then 80 bits that distinguish identifiers of the same millisecond.
 * Ten base-32 digits of time, most significant first, make text order equal to time order.
 *
 * @param tail ten bytes: random for a new identifier, a digest for a derived one
 */
export function idOf<Kind extends IdKind>(kind: Kind, at: Date, tail: Uint8Array): Id<Kind> {
  return asId(kind, `${ID_PREFIXES[kind]}_${timePart(at.getTime())}${base32(tail.subarray(0, TAIL_BYTES))}`);
}

/** An identifier that follows from its cause: the same kind, time and cause give the same text in every process. */
export function derivedId<Kind extends IdKind>(kind: Kind, at: Date, cause: string): Id<Kind> {
  return idOf(kind, at, hash('sha256', cause, 'buffer'));
}

/** Marks text as an identifier where it is known to be one: in decoders, not for what a caller sent. */
export function asId<Kind extends IdKind>(_kind: Kind, text: string): Id<Kind> {
  return text as Id<Kind>;
}

/** The smallest possible identifier of a kind at `at`: turns a date filter into an identifier range. */
export function firstIdAt(kind: IdKind, at: Date): string {
  return `${ID_PREFIXES[kind]}_${timePart(Math.max(0, at.getTime()))}`;
}

const ID_TAIL = `[${ALPHABET}]{${TIME_LENGTH + (TAIL_BYTES * 8) / 5}}`;

/** The time inside an identifier; null if the text is not an identifier of this kind. */
export function timeOfId(kind: IdKind, text: string): Date | null {
  if (!new RegExp(`^${ID_PREFIXES[kind]}_${ID_TAIL}$`).test(text)) return null;
  const digits = text.slice(ID_PREFIXES[kind].length + 1, ID_PREFIXES[kind].length + 1 + TIME_LENGTH);
  let milliseconds = 0;
  for (const digit of digits) milliseconds = milliseconds * 32 + ALPHABET.indexOf(digit);
  return new Date(milliseconds);
}

/** The delivery of one event to one endpoint. A repeated fan-out gives the same identifier. */
export function deliveryIdOf(
  event: { eventId: string; occurredAt: Date },
  endpointId: EndpointId,
): DeliveryId {
  return derivedId('delivery', event.occurredAt, `${event.eventId} ${endpointId}`);
}

function timePart(milliseconds: number): string {
  if (!(milliseconds >= 0)) throw new RangeError('an identifier needs a time from 1970 on');
  let rest = milliseconds;
  let text = '';
  for (let digit = 0; digit < TIME_LENGTH; digit += 1) {
    text = `${ALPHABET[rest % 32]}${text}`;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let pending = 0;
  for (const byte of bytes) {
    pending = (pending << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += ALPHABET[(pending >>> bits) & 31];
    }
    pending &= 255;
  }
  return text;
}
