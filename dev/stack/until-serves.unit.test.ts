import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { findCoordinator } from './until-serves.js';

describe('finding the group coordinator', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  for (const { title, pieces, expected } of [
    {
      title: 'returns 0 for a broker that serves groups',
      pieces: ['00000014000000010000000000010000ffffffff00000000'],
      expected: 0,
    },
    {
      title: 'returns the error code, also from a fragmented response',
      pieces: ['0000001400', '000001000f'],
      expected: 15,
    },
    {
      title: 'fails when the broker closes the connection',
      pieces: [],
      expected: 'Kafka closed the connection',
    },
  ]) {
    it(title, async () => {
      server = createServer((socket) => {
        socket.setNoDelay();
        socket.once('data', () => {
          for (const piece of pieces) socket.write(Buffer.from(piece, 'hex'));
          if (pieces.length === 0) socket.end();
        });
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      const outcome = await findCoordinator(address).catch((error: Error) => error.message);
      expect(outcome).to.equal(expected);
    });
  }
});
