/** One event of a stream (Server-Sent Events). */
export interface StreamEvent {
  readonly name: string;
  readonly id: string | null;
  readonly data: object;
}

export function formatEvent({ name, id, data }: StreamEvent): string {
  const position = id === null ? '' : `id: ${id}\n`;
  return `event: ${name}\n${position}data: ${JSON.stringify(data)}\n\n`;
}

/** An event whose data, which is not empty, has a payload as well. @param payload as JSON */
export function formatEventWith(payload: string, { name, id, data }: StreamEvent): string {
  const position = id === null ? '' : `id: ${id}\n`;
  return `event: ${name}\n${position}data: ${JSON.stringify(data).slice(0, -1)},"payload":${payload}}\n\n`;
}

/** Records may be missing from the stream. */
export function formatReset(): string {
  return formatEvent({ name: 'reset', id: null, data: {} });
}

/** A comment, which keeps connections open, and the position, so that a quiet stream can be resumed as well. */
export function formatKeepAlive(id: string | null): string {
  return id === null ? ': keep-alive\n\n' : `: keep-alive\nid: ${id}\n\n`;
}

/** How long a client waits before it connects again, in milliseconds. */
export function formatRetry(ms: number): string {
  return `retry: ${ms}\n\n`;
}
