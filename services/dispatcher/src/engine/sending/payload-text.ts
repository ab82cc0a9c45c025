import type { Delivery } from '@postrider/shared/domain/delivery';

/** A weak map would keep each text until the next full garbage collection, long after its payload. */
const TEXT = Symbol('payload as JSON');

/** A payload as JSON. It is serialised once: rows of one event share their payload, and each row needs it several times. */
export function payloadText(payload: Delivery['payload'] & { readonly [TEXT]?: string }): string {
  const known = payload[TEXT];
  if (known !== undefined) return known;
  const text = JSON.stringify(payload);
  Object.defineProperty(payload, TEXT, { value: text });
  return text;
}
