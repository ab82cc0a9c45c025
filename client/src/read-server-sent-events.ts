/** One event of a stream; also a block without data, which only moves the position. */
export interface ServerSentEvent {
  /** `message` unless the stream names another. */
  readonly type: string;
  /** The last id so far; null before the first. */
  readonly id: string | null;
  /** Empty if the block has none. */
  readonly data: string;
}

/** Splits the text of a stream into its events. Comments yield nothing. */
export async function* readServerSentEvents(chunks: AsyncIterable<string>): AsyncGenerator<ServerSentEvent> {
  let rest = '';
  let id: string | null = null;
  for await (const chunk of chunks) {
    const blocks = `${rest}${chunk}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = fieldsOf(block);
      id = fields.id ?? id;
      if (fields.id !== undefined || fields.data.length > 0)
        yield { type: fields.event ?? 'message', id, data: fields.data.join('\n') };
    }
  }
}

function fieldsOf(block: string): { id?: string; event?: string; data: string[] } {
  const fields: ReturnType<typeof fieldsOf> = { data: [] };
  for (const line of block.split('\n')) {
    // JSON may contain U+2028 and U+2029, which only `s` counts as characters of a line.
    const [, name, value = ''] = /^(\w+): ?(.*)$/s.exec(line) ?? [];
    if (name === 'data') fields.data.push(value);
    else if (name === 'id' || name === 'event') fields[name] = value;
  }
  return fields;
}
