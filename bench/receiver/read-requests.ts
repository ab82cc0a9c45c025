/** What the receiver needs to know of a POST. */
export interface ReadRequest {
  /** The path of its URL, with the leading slash. */
  readonly path: string;
  /** The header `webhook-id`; empty when there is none. */
  readonly id: string;
}

const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Reads the POSTs of one connection as their bytes come in, bodies skipped. It knows of HTTP/1.1 only what the
 * dispatcher sends, requests with a `content-length`: so that receiving costs little on a machine that is also measured.
 *
 * @returns takes bytes and gives the requests that they completed
 */
export function requestReader(): (bytes: Buffer) => readonly ReadRequest[] {
  let held: Buffer = Buffer.alloc(0);
  return (bytes) => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    const complete: ReadRequest[] = [];
    for (let headEnd = held.indexOf(HEAD_END); headEnd >= 0; headEnd = held.indexOf(HEAD_END)) {
      const head = held.toString('latin1', 0, headEnd);
      const end = headEnd + HEAD_END.length + contentLength(head);
      if (held.length < end) break;
      complete.push({ path: head.slice(head.indexOf(' ') + 1, head.indexOf(' HTTP/')), id: webhookId(head) });
      held = held.subarray(end);
    }
    return complete;
  };
}

function contentLength(head: string): number {
  return Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
}

function webhookId(head: string): string {
  return /^webhook-id: *(\S+)/im.exec(head)?.[1] ?? '';
}
