import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { encodeRequest, findCoordinator } from './find-coordinator.js';

describe('finding the group coordinator', () => {
  let server: Server | undefined;
  afterEach(() => server?.close());

  /** A broker that answers with these pieces. */
  async function broker(...pieces: Buffer[]): Promise<string> {
    const listening = createServer((socket) => {
      socket.setNoDelay();
      for (const piece of pieces) socket.write(piece);
      if (pieces.length === 0) socket.end();
    });
    server = listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return `127.0.0.1:${(listening.address() as AddressInfo).port}`;
  }

  it('sends one request in the wire format', () => {
    expect(encodeRequest('ab').toString('hex')).to.equal('0000000e000a000000000001ffff00026162');
  });

  it('returns the error code, also from a fragmented response', async () => {
    const answer = Buffer.from('00000014000000010000000000010000ffffffff00000000', 'hex');
    expect(await findCoordinator(await broker(answer))).to.equal(0);
    server?.close();
    const notAvailable = Buffer.from('0000001400000001000f', 'hex');
    expect(
      await findCoordinator(await broker(notAvailable.subarray(0, 5), notAvailable.subarray(5))),
    ).to.equal(15);
  });

  it('fails when the connection closes', async () => {
    const error = await findCoordinator(await broker()).catch((reason: Error) => reason);
    expect(error).to.be.instanceOf(Error);
  });
});
