import { createSocket } from 'node:dgram';
import { isIPv4, isIPv6 } from 'node:net';

export type Reply =
  | {
      readonly addresses: readonly string[];
      readonly ttlSeconds?: number;
      readonly muteFor?: 'IPv4' | 'IPv6';
    }
  | keyof typeof CODES
  | 'silence';

/** Response codes without records. */
const CODES = { 'server failure': 2, 'no such name': 3, refused: 5 } as const;

export interface NameServer {
  /** `address:port` */
  readonly address: string;
  /** The number of IPv4 queries for each name. */
  readonly asked: ReadonlyMap<string, number>;
  readonly close: () => Promise<void>;
}

/**
 * A minimal DNS server that answers with `reply` for each name.
 *
 * @param port a free one by default
 */
export async function nameServer(
  reply: (name: string) => Reply | Promise<Reply>,
  port = 0,
): Promise<NameServer> {
  const asked = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', async (query, { port: from, address }) => {
    const { name, type, end } = questionOf(query);
    if (type === TYPE_A) asked.set(name, (asked.get(name) ?? 0) + 1);
    const said = await reply(name);
    const family = type === TYPE_AAAA ? 'IPv6' : 'IPv4';
    if (said === 'silence' || (typeof said === 'object' && said.muteFor === family)) return;
    socket.send(answerTo(query, { type, end, said }), from, address);
  });
  await new Promise<void>((listens) => socket.bind(port, '127.0.0.1', listens));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    close: () => new Promise((closed) => socket.close(closed)),
  };
}

const TYPE_A = 1;
const TYPE_AAAA = 28;
const HEADER_BYTES = 12;

function questionOf(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function answerTo(
  query: Buffer,
  { type, end, said }: { type: number; end: number; said: Exclude<Reply, 'silence'> },
): Buffer {
  const hasRecords = typeof said === 'object';
  const addresses = hasRecords ? said.addresses.filter(type === TYPE_A ? isIPv4 : isIPv6) : [];
  const ttl = hasRecords ? (said.ttlSeconds ?? 0) : 0;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (hasRecords ? 0 : CODES[said]), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const records = addresses.map((address) => recordOf(type, ttl, address));
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end), ...records]);
}

function recordOf(type: number, ttl: number, address: string): Buffer {
  const data = type === TYPE_AAAA ? v6Bytes(address) : Buffer.from(address.split('.').map(Number));
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // A pointer to the name in the question.
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(ttl, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function v6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::').map((half) => half ?? '');
  const groups = (half: string) =>
    half === '' ? [] : half.split(':').map((group) => Number.parseInt(group, 16));
  const missing = 8 - groups(left).length - groups(right).length;
  const all = [...groups(left), ...new Array<number>(missing).fill(0), ...groups(right)];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 255]));
}
