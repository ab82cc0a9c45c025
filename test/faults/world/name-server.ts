import { createSocket } from 'node:dgram';
import { once } from 'node:events';

/** A name server that knows no name, and about some says nothing at all. */
export interface NameServer {
  close(): void;
}

const HEADER_BYTES = 12;
const TYPE_AND_CLASS_BYTES = 4;
/** An answer, recursion available, NXDOMAIN. */
const NO_SUCH_NAME = 0x8183;

/** @param silentAbout the first label of names that are not answered for */
export async function nameServer(port: number, silentAbout: string): Promise<NameServer> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port: from, address }) => {
    const { name, end } = nameIn(question);
    if (name[0] !== silentAbout) socket.send(refusalOf(question.subarray(0, end)), from, address);
  });
  socket.bind(port, '127.0.0.1');
  await once(socket, 'listening');
  return { close: () => socket.close() };
}

/** The labels of the name that is asked for, and where the question ends. */
function nameIn(question: Buffer): { readonly name: readonly string[]; readonly end: number } {
  const name: string[] = [];
  let at = HEADER_BYTES;
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    name.push(question.toString('latin1', at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name, end: at + 1 + TYPE_AND_CLASS_BYTES };
}

/** The question again, with the flags of a refusal and nothing after it. */
function refusalOf(question: Buffer): Buffer {
  const refusal = Buffer.from(question);
  refusal.writeUInt16BE(NO_SUCH_NAME, 2);
  refusal.writeUInt32BE(0, 6);
  refusal.writeUInt16BE(0, 10);
  return refusal;
}
