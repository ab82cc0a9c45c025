import type { Delivery } from '@postrider/shared/domain/delivery';

const texts = new WeakMap<Delivery['payload'], string>();

/** A payload as JSON. It is made once: rows of one event share their payload, and each row needs it several times. */
export function payloadText(payload: Delivery['payload']): string {
  const known = texts.get(payload);
  if (known !== undefined) return known;
  const text = JSON.stringify(payload);
  texts.set(payload, text);
  return text;
}
