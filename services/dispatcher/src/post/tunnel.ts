import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { withoutBrackets } from '@postrider/shared/domain/webhook-url';
import { ProxyRefused } from './failure.js';

export interface Tunnel {
  readonly proxy: URL;
  /** Address and port behind the proxy. */
  readonly address: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/**
 * Opens a connection through a forward proxy with CONNECT. The proxy gets the address, not the name, so that it connects to
 * exactly the address that was checked. The request contains nothing of a delivery.
 */
export function openTunnel({ proxy, address, port, timeoutMs }: Tunnel): Promise<Socket> {
  const authority = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return new Promise((resolve, reject) => {
    let reading: NodeJS.Immediate | undefined;
    const isSecure = proxy.protocol === 'https:';
    const request = (isSecure ? httpsRequest : httpRequest)({
      host: withoutBrackets(proxy.hostname),
      port: proxy.port === '' ? (isSecure ? 443 : 80) : Number(proxy.port),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      timeout: timeoutMs,
    });
    request.once('connect', ({ statusCode = 0 }, socket) => {
      clearImmediate(reading);
      if (statusCode >= 200 && statusCode <= 299) return resolve(socket as Socket);
      socket.destroy();
      reject(new ProxyRefused(`the proxy answered ${statusCode}`));
    });
    request.once('response', (response) => {
      response.destroy();
      reject(new ProxyRefused(`the proxy answered ${response.statusCode}`));
    });
    request.once('timeout', () => {
      // The answer may have arrived while the event loop was blocked: timers run before it is read.
      reading = setImmediate(() => request.destroy(new ProxyRefused('the proxy did not answer in time')));
    });
    request.once('error', (error) =>
      reject(error instanceof ProxyRefused ? error : new ProxyRefused('the proxy is unreachable')),
    );
    request.end();
  });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
