const BYTES = 16;

/** 128 random bits in hexadecimal. `crypto.randomUUID` is missing on pages that a browser has loaded over plain HTTP. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
