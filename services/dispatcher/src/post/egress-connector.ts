import type { LookupFunction, Socket } from 'node:net';
import { bareHost, type Egress } from '@postrider/shared/domain/webhook-url';
import { buildConnector } from 'undici';
import { AddressBlocked, LookupFailed } from './failure.js';
import type { Address } from './name-cache.js';

/** How long one of several addresses may take before the next is tried. */
const NEXT_ADDRESS_MS = 300;
/** Limits the addresses tried, so that the last one has enough of the deadline left. */
const MAX_ADDRESSES = 8;

export interface EgressConnectorDeps {
  readonly egress: Pick<Egress, 'admits'>;
  /** The addresses of a name that was resolved before the connection was asked for; null if they are unknown. */
  readonly addressesOf: (host: string) => readonly Address[] | null;
  /** Connect time-out in milliseconds. */
  readonly timeoutMs: number;
  /** Trusted certificates, PEM; the system's by default. */
  readonly ca?: string;
}

/**
 * Connects only to addresses that the egress rules admit. Each address of a name is checked when it is resolved, so that
 * a name cannot be pointed to an internal address after its URL was checked. The remote address of the socket is checked
 * before the connection is used, which also covers address literals, because those are not resolved.
 */
export function createEgressConnector(deps: EgressConnectorDeps): buildConnector.connector {
  const { egress, timeoutMs, ca } = deps;
  const connect = buildConnector({
    lookup: admittedLookup(deps),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
    timeout: timeoutMs,
    allowH2: false,
    ...(ca === undefined ? {} : { ca }),
  });
  return (target, callback) =>
    connect(target, (error, socket) => {
      if (error !== null) return callback(error, null);
      const problem = problemWith(egress, target.hostname, socket);
      if (problem === null) return callback(null, socket);
      socket.destroy();
      callback(problem, null);
    });
}

function problemWith(egress: EgressConnectorDeps['egress'], host: string, socket: Socket): Error | null {
  const { remoteAddress } = socket;
  if (remoteAddress === undefined)
    return Object.assign(new Error('closed immediately'), { code: 'ECONNRESET' });
  return egress.admits(host, remoteAddress)
    ? null
    : new AddressBlocked(`${host} resolves to the forbidden address ${remoteAddress}`);
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
