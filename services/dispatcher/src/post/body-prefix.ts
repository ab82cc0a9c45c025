/** The beginning of a response body, as far as it is kept. */
export interface BodyPrefix {
  /** Takes what arrived; says whether the limit is reached, so that nothing more is wanted. */
  readonly add: (chunk: Uint8Array) => boolean;
  /**
   * What was taken, as text. Bytes that are no UTF-8 become U+FFFD; control characters stay as they are.
   * A character that the limit cut in two is left out.
   */
  readonly text: () => string;
}

export function createBodyPrefix(limitBytes: number): BodyPrefix {
  const parts: Uint8Array[] = [];
  let size = 0;
  const full = () => size >= limitBytes;
  return {
    add: (chunk) => {
      const wanted = chunk.subarray(0, limitBytes - size);
      parts.push(wanted);
      size += wanted.length;
      return full();
    },
    text: () => {
      const bytes = Buffer.concat(parts);
      return full() ? withoutCutCharacter(bytes) : bytes.toString('utf8');
    },
  };
}

/** A decoder that waits for more of a stream keeps the unfinished character to itself. */
function withoutCutCharacter(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
