import type { Socket } from 'node:net';
import { type Listening, type Receiver, startReceiver } from './receiver.js';

/** Called for a connection once it has received a whole request. */
export type Act = (socket: Socket, request: string) => void;

export interface HostileReceiver extends Receiver {
  /** All requests so far, head and body. */
  readonly requests: readonly string[];
}

/** A receiver that sends exactly what the test needs, valid or not. */
export async function startHostileReceiver(act: Act, listening?: Listening): Promise<HostileReceiver> {
  const requests: string[] = [];
  const receiver = await startReceiver(({ head, body }, socket) => {
    const request = `${head}\r\n\r\n${body.toString('latin1')}`;
    requests.push(request);
    act(socket, request);
  }, listening);
  return { ...receiver, url: `${receiver.url}/hook`, requests };
}

/** A valid response. */
export function ok(body = 'ok'): Act {
  return (socket) =>
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** Sends the text repeatedly, as fast as the client reads it. */
export function sendForever(socket: Socket, text: string): void {
  const block = text.repeat(Math.ceil(65_536 / text.length));
  const pour = () => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', pour);
  pour();
}

/** Sends the text one character at a time, slowly. */
export function drip(socket: Socket, text: string): void {
  let sent = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || sent >= text.length) clearInterval(timer);
    else socket.write(text[sent++] ?? '');
  }, 20);
}
