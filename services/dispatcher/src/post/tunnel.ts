import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type Socket } from 'node:net';
import { withoutBrackets } from '@postrider/shared/domain/webhook-url';
import { isLocalFailure, ProxyRefused, ProxyUnavailable } from './failure.js';

export interface Tunnel {
  readonly proxy: URL;
  /** Address and port behind the proxy. */
  readonly address: string;
  readonly port: number;
  readonly timeoutMs: number;
}

/** How long connecting to the proxy itself may take: this part of the time-out, and at most so many milliseconds. */
const CONNECT_PART = 1 / 4;
const LONGEST_CONNECT_MS = 3_000;
const PROXY_AUTHENTICATION_REQUIRED = 407;

/**
 * Opens a connection through a forward proxy with CONNECT. The proxy gets the address, not the name, so that it connects to
 * exactly the address that was checked. The request contains nothing of a delivery.
 *
 * @throws ProxyUnavailable if the proxy is not reached or refuses the login, ProxyRefused if it does not open this tunnel, or
 *   the error of a shortage of this machine
 */
export function openTunnel({ proxy, address, port, timeoutMs }: Tunnel): Promise<Socket> {
  const authority = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  return new Promise((resolve, reject) => {
    let isConnected = false;
    let reading: NodeJS.Immediate | undefined;
    const isSecure = proxy.protocol === 'https:';
    const host = withoutBrackets(proxy.hostname);
    const request = (isSecure ? httpsRequest : httpRequest)({
      host,
      // By default that of the header, which is the address behind the proxy.
      ...(isSecure && { servername: isIP(host) === 0 ? host : '' }),
      port: proxy.port === '' ? (isSecure ? 443 : 80) : Number(proxy.port),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentialsOf(proxy) },
      agent: false,
      timeout: timeoutMs,
    });
    /** What arrived in time may not be read yet if the event loop was blocked: timers run before that. */
    const giveUp = (error: Error) => {
      reading = setImmediate(() => request.destroy(error));
    };
    const connecting = setTimeout(
      () => giveUp(new ProxyUnavailable('no connection to the proxy in time')),
      Math.min(timeoutMs * CONNECT_PART, LONGEST_CONNECT_MS),
    );
    const stopWaiting = () => {
      clearTimeout(connecting);
      clearImmediate(reading);
    };
    request.once('socket', (socket) =>
      socket.once(isSecure ? 'secureConnect' : 'connect', () => {
        isConnected = true;
        stopWaiting();
      }),
    );
    request.once('connect', ({ statusCode = 0 }, socket) => {
      stopWaiting();
      if (statusCode >= 200 && statusCode <= 299) return resolve(socket as Socket);
      socket.destroy();
      reject(refusalOf(statusCode));
    });
    request.once('timeout', () => giveUp(new ProxyRefused('the proxy did not answer in time')));
    request.once('error', (error) => {
      stopWaiting();
      reject(reasonOf(error, isConnected));
    });
    request.end();
  });
}

function refusalOf(status: number): Error {
  const text = `the proxy answered ${status}`;
  return status === PROXY_AUTHENTICATION_REQUIRED
    ? new ProxyUnavailable(text)
    : new ProxyRefused(text, { status });
}

/** A proxy may close the connection because it does not reach the receiver. Before it is connected to, the cause is never there. */
function reasonOf(error: Error, isConnected: boolean): Error {
  if (error instanceof ProxyRefused || error instanceof ProxyUnavailable || isLocalFailure(error))
    return error;
  if (isConnected) return new ProxyRefused('the proxy closed the connection');
  const detail = 'code' in error ? String(error.code) : error.message;
  return new ProxyUnavailable(`the proxy is unreachable: ${detail}`, { cause: error });
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {};
  const text = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` };
}
