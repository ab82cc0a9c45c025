import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';

/** One POST as it arrived. */
export interface Arrival {
  /** Its `webhook-id`. */
  readonly id: string;
  /** The machine's time, in milliseconds. */
  readonly at: number;
}

/** Notes arrivals in blocks of bytes: millions of them, and nothing for the garbage collector to visit. */
export interface ArrivalLog {
  add(id: string, at: number): void;
  /** Writes all of them to a file that `readArrivals` reads. */
  save(file: string): void;
}

/** Room for the longest identifier: they have a prefix and 26 characters. */
const ID_BYTES = 32;
const TIME_BYTES = 8;
const RECORD_BYTES = ID_BYTES + TIME_BYTES;
const BLOCK_BYTES = RECORD_BYTES * 16_384;

export function arrivalLog(): ArrivalLog {
  const blocks: Buffer[] = [];
  let used = BLOCK_BYTES;
  return {
    add(id, at) {
      if (used === BLOCK_BYTES) {
        blocks.push(Buffer.alloc(BLOCK_BYTES));
        used = 0;
      }
      const block = blocks.at(-1);
      block?.write(id, used, ID_BYTES, 'latin1');
      block?.writeDoubleLE(at, used + ID_BYTES);
      used += RECORD_BYTES;
    },
    save(file) {
      const fd = openSync(file, 'w');
      for (const [index, block] of blocks.entries()) {
        const end = index === blocks.length - 1 ? used : BLOCK_BYTES;
        for (let from = 0; from < end; ) from += writeSync(fd, block, from, end - from);
      }
      closeSync(fd);
    },
  };
}

/** The arrivals of a file that a log saved, in the order in which they came. */
export function readArrivals(file: string): Arrival[] {
  const bytes = readFileSync(file);
  const arrivals: Arrival[] = [];
  for (let from = 0; from < bytes.length; from += RECORD_BYTES) {
    const id = bytes.toString('latin1', from, from + ID_BYTES).replace(/\0+$/, '');
    arrivals.push({ id, at: bytes.readDoubleLE(from + ID_BYTES) });
  }
  return arrivals;
}
