import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { expect } from 'chai';
import { type Link, openLink } from './link.js';

describe('link', () => {
  let echo: Server;
  let link: Link;
  before(async () => {
    echo = createServer((socket) => socket.on('error', () => {}).pipe(socket)).listen(0, '127.0.0.1');
    await once(echo, 'listening');
    link = await openLink(0, (echo.address() as { port: number }).port);
  });
  after(async () => {
    await link.close();
    echo.close();
  });

  const dial = async () => {
    const socket = connect(link.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };

  it('forwards bytes in both directions', async () => {
    const socket = await dial();
    socket.write('hello');
    expect(String((await once(socket, 'data'))[0])).to.equal('hello');
    socket.destroy();
  });

  it('delays bytes while it is cut, and forwards them once it is restored', async () => {
    const socket = await dial();
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes;
    });
    link.cut();
    socket.write('late');
    await new Promise((resolve) => setImmediate(resolve));
    expect(received).to.equal('');
    await link.mend();
    await once(socket, 'data');
    expect(received).to.equal('late');
    socket.destroy();
  });

  it('changes what the server answers until it is restored', async () => {
    const socket = await dial();
    const answerTo = async (request: string) => {
      socket.write(request);
      return String((await once(socket, 'data'))[0]);
    };
    link.change((bytes) => bytes.write('J'));
    expect(await answerTo('hello')).to.equal('Jello');
    await link.mend();
    expect(await answerTo('hello')).to.equal('hello');
    socket.destroy();
  });

  it('closes connections and refuses new ones until it is restored', async () => {
    const socket = await dial();
    const closed = once(socket, 'close');
    await link.refuse();
    await closed;
    const [refused] = (await once(connect(link.port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(refused.code).to.equal('ECONNREFUSED');
    await link.mend();
    (await dial()).destroy();
  });
});
