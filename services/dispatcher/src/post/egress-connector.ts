import type { LookupFunction, Socket } from 'node:net';
import { bareHost, type Egress } from '@postrider/shared/domain/webhook-url';
import { buildConnector } from 'undici';
import { AddressBlocked } from './failure.js';
import type { Address } from './name-cache.js';

/** How long one address of several may take before the next is tried. */
const NEXT_ADDRESS_MS = 300;
/** The last address tried has what is left of the deadline; so that it is not used up before, no more than these. */
const MAX_ADDRESSES = 8;

export interface EgressConnectorDeps {
  readonly egress: Pick<Egress, 'admits'>;
  /** Rejects when there is no address. */
  readonly resolve: (host: string) => Promise<readonly Address[]>;
  /** Milliseconds after which a connection that nobody waits for any more is dropped. */
  readonly timeoutMs: number;
  /** Certificates to trust, PEM; without them those of the system. */
  readonly ca?: string;
}

/**
 * Opens connections only to addresses that the egress rules admit: each address of a name is checked when it is
 * resolved, so that a name cannot be pointed inside after its URL was checked, and the address that the socket really
 * has is checked before the connection is handed over. The latter also covers literals, which are never resolved.
 */
export function createEgressConnector({
  egress,
  resolve,
  timeoutMs,
  ca,
}: EgressConnectorDeps): buildConnector.connector {
  const connect = buildConnector({
    lookup: admittedLookup(egress, resolve),
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
  if (remoteAddress === undefined) return Object.assign(new Error('closed at once'), { code: 'ECONNRESET' });
  return egress.admits(host, remoteAddress) ? null : new AddressBlocked(`${host} led to ${remoteAddress}`);
}

function admittedLookup(
  egress: EgressConnectorDeps['egress'],
  resolve: EgressConnectorDeps['resolve'],
): LookupFunction {
  return (hostname, { all }, callback) => {
    resolve(bareHost(hostname)).then(
      (addresses) => {
        const admitted = addresses.filter(({ address }) => egress.admits(hostname, address));
        const [first] = admitted;
        if (first === undefined) callback(new AddressBlocked(`${hostname} leads inside`), []);
        else if (all) callback(null, admitted.slice(0, MAX_ADDRESSES));
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}
