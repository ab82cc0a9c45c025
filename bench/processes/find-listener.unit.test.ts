import { createServer } from 'node:net';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { findListener } from './find-listener.js';

describe('findListener', () => {
  it('finds the process that listens on a port', async function () {
    if (process.platform !== 'linux') this.skip();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    // A process that is being forked from this one has its sockets for a moment, too.
    await eventually(() => expect(findListener(port)).to.equal(process.pid));
    await new Promise((resolve) => server.close(resolve));
    expect(findListener(port)).to.equal(null);
  });
});
