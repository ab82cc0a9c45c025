/** Returns a function from a key to its partition of `count`, compatible with Java clients (murmur2). */
export function createPartitioner(count: number): (key: string | Buffer) => number {
  return (key) => (murmur2(typeof key === 'string' ? Buffer.from(key) : key) & 0x7fffffff) % count;
}

const SEED = 0x9747b28c;
const M = 0x5bd1e995;
const R = 24;

/** The hash of Kafka's clients, with 32-bit arithmetic: the client library computes it with objects of 64 bits. */
function murmur2(data: Buffer): number {
  const { length } = data;
  const words = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < words; at += 4) {
    let word = Math.imul(data.readInt32LE(at), M);
    word = Math.imul(word ^ (word >>> R), M);
    hash = Math.imul(hash, M) ^ word;
  }
  if (length > words) {
    for (let at = length - 1; at >= words; at -= 1) hash ^= (data[at] ?? 0) << ((at - words) * 8);
    hash = Math.imul(hash, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
