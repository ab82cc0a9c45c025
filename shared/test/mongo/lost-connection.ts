import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { connectMongo, type Database } from '../../src/mongo/connect.js';

/** A connection that was established and whose server can no longer be reached. */
export async function lostConnection(uri: string): Promise<Database> {
  const sockets = new Set<Socket>();
  const link = createServer((socket) => {
    const server = connect(Number(new URL(uri).port), '127.0.0.1');
    for (const one of [socket, server]) sockets.add(one.on('error', () => {}));
    socket.pipe(server).pipe(socket);
  }).listen(0, '127.0.0.1');
  await once(link, 'listening');
  const through = new URL(uri);
  through.port = String((link.address() as AddressInfo).port);
  through.search = 'directConnection=true&serverSelectionTimeoutMS=200';
  const database = await connectMongo(through.href, 'test');
  link.close();
  for (const socket of sockets) socket.destroy();
  return database;
}
