/** The beginning of a response body, up to a limit. */
export interface BodyPrefix {
  /** Adds a chunk. @returns whether the limit is reached */
  readonly add: (chunk: Uint8Array) => boolean;
  /**
   * The prefix as text. Invalid UTF-8 becomes U+FFFD; control characters are kept. A character that the limit cuts is
   * left out.
   */
  readonly text: () => string;
}

export function createBodyPrefix(limitBytes: number): BodyPrefix {
  const parts: Uint8Array[] = [];
  let size = 0;
  const full = () => size >= limitBytes;
  return {
    add: (chunk) => {
      const part = chunk.subarray(0, limitBytes - size);
      parts.push(part);
      size += part.length;
      return full();
    },
    text: () => {
      const bytes = Buffer.concat(parts);
      return full() ? withoutCutCharacter(bytes) : bytes.toString('utf8');
    },
  };
}

/** In stream mode the decoder withholds an incomplete last character. */
function withoutCutCharacter(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}
