import { createServer } from 'node:net';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { readUsage } from '#dev/processes/usage';
import { findServer } from './find-server.js';

describe('what this system tells about processes', () => {
  before(function () {
    if (process.platform !== 'linux') this.skip();
  });

  it('includes the memory of this one', () => {
    const { memory } = readUsage(process.pid) ?? expect.fail('it says nothing');
    expect(memory.resident).to.be.greaterThan(10_000_000);
    expect(memory.peak).to.be.at.least(memory.resident);
  });

  it('is nothing about a process that does not exist', () => {
    expect(readUsage(2 ** 30)).to.equal(null);
  });

  it('includes who listens on a port', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    // A process that is being forked from this one holds its sockets for a moment, too.
    await eventually(() => expect(findServer(port)).to.equal(process.pid));
    await new Promise((resolve) => server.close(resolve));
    expect(findServer(port)).to.equal(null);
  });
});
