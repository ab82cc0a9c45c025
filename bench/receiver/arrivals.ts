/** One POST as it arrived. */
export interface Arrival {
  /** Its `webhook-id`. */
  readonly id: string;
  /** In machine time. */
  readonly at: number;
}

/** Room for the longest id: a prefix and 26 characters. */
const ID_BYTES = 32;
const RECORD_BYTES = ID_BYTES + 8;
const BLOCK_BYTES = RECORD_BYTES * 16_384;

/** Records arrivals in blocks of bytes: millions of them without work for the garbage collector. */
export function createArrivalLog() {
  const blocks: Buffer[] = [];
  let block = Buffer.alloc(0);
  let used = 0;
  return {
    add(id: string, at: number): void {
      if (used === block.length) {
        block = Buffer.alloc(BLOCK_BYTES);
        blocks.push(block);
        used = 0;
      }
      block.write(id, used, ID_BYTES, 'latin1');
      block.writeDoubleLE(at, used + ID_BYTES);
      used += RECORD_BYTES;
    },
    /** All of them, as `readArrivals` expects. */
    bytes: (): Buffer => Buffer.concat([...blocks.slice(0, -1), block.subarray(0, used)]),
  };
}

/** The arrivals in order. */
export function readArrivals(bytes: Buffer): Arrival[] {
  return Array.from({ length: bytes.length / RECORD_BYTES }, (_, index) => {
    const from = index * RECORD_BYTES;
    const id = bytes.toString('latin1', from, from + ID_BYTES).replace(/\0+$/, '');
    return { id, at: bytes.readDoubleLE(from + ID_BYTES) };
  });
}
