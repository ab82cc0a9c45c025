import { isIP, type LookupFunction, Socket } from 'node:net';
import { createSecureContext, DEFAULT_CIPHERS } from 'node:tls';
import { bareHost, type Egress } from '@postrider/shared/domain/webhook-url';
import { buildConnector } from 'undici';
import {
  AddressBlocked,
  LookupFailed,
  type ProxyFailure,
  ProxyRefused,
  ProxyUnavailable,
} from './failure.js';
import type { Address } from './name-cache.js';
import { openTunnel } from './tunnel.js';

/** How long one of several addresses may take before the next is tried, in milliseconds. */
const NEXT_ADDRESS_MS = 300;
/** Maximum number of addresses tried, so that the last one has enough of the deadline left. */
const MAX_ADDRESSES = 8;
const MAX_TUNNELS = 3;
/**
 * Without those of finite-field Diffie-Hellman, whose group the server chooses: one of 10,000 bits, which need not be valid,
 * keeps a core busy for half a second in every handshake. The groups of TLS 1.3 are known ones.
 */
const CIPHERS = `${DEFAULT_CIPHERS}:!DHE`;

export interface EgressConnectorDeps {
  readonly egress: Pick<Egress, 'admits'>;
  /** The addresses of a name that was resolved before the connection was requested; null if they are unknown. */
  readonly addressesOf: (host: string) => readonly Address[] | null;
  /** Connect time-out in milliseconds. */
  readonly timeoutMs: number;
  readonly monotonicMs: () => number;
  /** Forward proxy for all connections. */
  readonly proxy: URL | null;
  /** Called for each tunnel that the proxy did not open. */
  readonly onProxyFailure?: (failure: ProxyFailure) => void;
  /** Trusted certificates, PEM; the system's by default. */
  readonly ca?: string;
}

type Target = Parameters<buildConnector.connector>[0];

/** Connects to a receiver. `address` is the receiver's, even behind a proxy, where the socket's is another. */
export type EgressConnector = (
  target: Target,
  callback: (
    ...result: [error: Error, socket: null] | [error: null, socket: Socket, address: string]
  ) => void,
  /** Called once an admitted address is connected to, before TLS. */
  onReached?: (address: string) => void,
) => void;

/**
 * Connects only to addresses that the egress rules admit. Each address of a name is checked before it is used, so that a
 * name cannot be pointed to an internal address after its URL was checked. Without a proxy, the remote address of the socket
 * is checked as well before the connection is used, which also covers address literals, because those are not resolved. With
 * a proxy, the proxy is asked to connect to the checked address.
 */
export function createEgressConnector(deps: EgressConnectorDeps): EgressConnector {
  const { timeoutMs, ca, proxy } = deps;
  const settings = {
    lookup: admittedLookup(deps),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    allowH2: false,
    // By default each connection creates a context of its own, which takes a tenth of a megabyte.
    secureContext: createSecureContext({ ciphers: CIPHERS, ...(ca !== undefined && { ca }) }),
  };
  const connectWithin = (timeout: number) => buildConnector({ ...settings, timeout });
  return proxy === null
    ? directly(connectWithin, deps)
    : throughProxy(connectWithin(timeoutMs), { ...deps, proxy });
}

/**
 * Connects to the addresses of a name in turn. If all fail, the first one that was not refused but took longer than its turn is
 * tried again for the rest of the time-out: the others may fail at once because this network has no IPv6.
 */
function directly(
  connectWithin: (timeoutMs: number) => buildConnector.connector,
  { egress, timeoutMs, monotonicMs }: EgressConnectorDeps,
): EgressConnector {
  const tryAll = createTry(connectWithin(timeoutMs), egress);
  return (target, callback, onReached) => {
    const startedAt = monotonicMs();
    tryAll({
      target,
      onReached,
      callback: (...result) => {
        const slow = result[0] === null ? null : slowAddressOf(result[0]);
        const leftMs = Math.ceil(timeoutMs - (monotonicMs() - startedAt));
        if (slow === null || leftMs <= 0) return callback(...result);
        createTry(connectWithin(leftMs), egress)({ target, address: slow, callback, onReached });
      },
    });
  };
}

/** The first address whose turn ended without a result; null if there is none. */
function slowAddressOf({ cause }: Error): string | null {
  if (!(cause instanceof AggregateError)) return null;
  const slow: { readonly address?: string } | undefined = cause.errors.find(
    ({ code }) => code === 'ETIMEDOUT',
  );
  return slow?.address ?? null;
}

interface Try {
  readonly target: Target;
  /** The only address to try; all of the name by default. */
  readonly address?: string;
  readonly callback: Parameters<EgressConnector>[1];
  readonly onReached: Parameters<EgressConnector>[2];
}

function createTry(connect: buildConnector.connector, egress: EgressConnectorDeps['egress']) {
  return ({ target, address, callback, onReached }: Try): void => {
    const { hostname } = target;
    const connecting = connect({ ...target, ...(address && { hostname: address }) }, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && egress.admits(hostname, remoteAddress))
        return callback(null, socket, remoteAddress);
      socket.destroy();
      callback(problemWith(hostname, remoteAddress), null);
    }) as unknown;
    // The client returns the socket, without declaring it.
    if (!(connecting instanceof Socket)) return;
    // Before the listener that begins TLS.
    connecting.prependOnceListener('connect', () => {
      const { remoteAddress } = connecting;
      if (remoteAddress === undefined) return;
      if (egress.admits(hostname, remoteAddress)) onReached?.(remoteAddress);
      else connecting.destroy(problemWith(hostname, remoteAddress));
    });
  };
}

function problemWith(host: string, remoteAddress: string | undefined): Error {
  return remoteAddress === undefined
    ? Object.assign(new Error('closed immediately'), { code: 'ECONNRESET' })
    : new AddressBlocked(`${host} resolves to the forbidden address ${remoteAddress}`);
}

function throughProxy(
  connect: buildConnector.connector,
  deps: EgressConnectorDeps & { readonly proxy: URL },
): EgressConnector {
  return (target, callback, onReached) => {
    tunnelTo(target, deps).then(
      ({ socket, address }) => {
        onReached?.(address);
        if (target.protocol !== 'https:') return callback(null, socket, address);
        connect({ ...target, httpSocket: socket }, (...[error, secured]) =>
          error === null ? callback(null, secured, address) : callback(error, null),
        );
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Tries the admitted addresses in turn. A proxy that is unavailable is so for all of them. */
async function tunnelTo(
  { hostname, port, protocol }: Target,
  { egress, addressesOf, proxy, timeoutMs, onProxyFailure }: EgressConnectorDeps & { readonly proxy: URL },
): Promise<{ readonly socket: Socket; readonly address: string }> {
  const host = bareHost(hostname);
  const known = isIP(host) === 0 ? addressesOf(host) : [{ address: host }];
  if (known === null) throw new LookupFailed(`${host} is not resolved`);
  const admitted = known.filter(({ address }) => egress.admits(host, address));
  if (admitted.length === 0) throw new AddressBlocked(`${host} has only forbidden addresses`);
  const number = port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
  const tried = admitted.slice(0, MAX_TUNNELS);
  // One address that is not reached must leave time for the others.
  const share = { proxy, port: number, timeoutMs: Math.ceil(timeoutMs / tried.length) };
  let last: unknown = new ProxyRefused('no address was tried');
  for (const { address } of tried) {
    try {
      return { socket: await openTunnel({ ...share, address }), address };
    } catch (error) {
      if (error instanceof ProxyRefused || error instanceof ProxyUnavailable) onProxyFailure?.(error);
      if (!(error instanceof ProxyRefused)) throw error;
      last = error;
    }
  }
  throw last;
}

function admittedLookup({ egress, addressesOf }: EgressConnectorDeps): LookupFunction {
  const look: LookupFunction = (hostname, { all }, callback) => {
    const addresses = addressesOf(bareHost(hostname));
    if (addresses === null) return callback(new LookupFailed(`${hostname} is not resolved`), []);
    const admitted = addresses.filter(({ address }) => egress.admits(hostname, address));
    const [first] = admitted;
    if (first === undefined)
      callback(new AddressBlocked(`${hostname} resolves only to forbidden addresses`), []);
    else if (all) callback(null, admitted.slice(0, MAX_ADDRESSES));
    else callback(null, first.address, first.family);
  };
  // Callers add their listeners after the connection was started.
  return (hostname, options, callback) => setImmediate(look, hostname, options, callback);
}
