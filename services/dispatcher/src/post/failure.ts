import type { ErrorDetail } from '@postrider/shared/domain/delivery';
import type { Outcome, UnreachableReason } from '@postrider/shared/domain/judge';
import type { LocalCause } from '../ports/poster.js';

/** A name could not be resolved. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed';
  /** Whether a name server responded that there is no such name, or no address of it. */
  readonly noSuchName: boolean;
  /** Whether a name server responded with anything about the name. */
  readonly isAnswered: boolean;
  /** Whether name servers only responded that they failed, or refuse (SERVFAIL, REFUSED). */
  readonly isServerFailure: boolean;
  /** Whether no name server could be contacted. */
  readonly isUncontacted: boolean;
  constructor(
    message: string,
    options: {
      readonly noSuchName?: boolean;
      readonly isAnswered?: boolean;
      readonly isServerFailure?: boolean;
      readonly isUncontacted?: boolean;
    } = {},
  ) {
    super(message);
    this.noSuchName = options.noSuchName ?? false;
    this.isAnswered = options.isAnswered ?? this.noSuchName;
    this.isServerFailure = options.isServerFailure ?? false;
    this.isUncontacted = options.isUncontacted ?? false;
  }
}

/** A lookup that shows nothing about its name: it was not sent for lack of a slot or of time, or the name servers are responsible. */
export class LookupNotSent extends Error {
  override readonly name = 'LookupNotSent';
  /** Whether it was sent, and name servers only responded that they failed. */
  readonly isServerFailure: boolean;
  constructor(message: string, options: { readonly isServerFailure?: boolean } = {}) {
    super(message);
    this.isServerFailure = options.isServerFailure ?? false;
  }
}

/** The forward proxy did not open a tunnel. This is a failure of our own network or of the receiver's. */
export class ProxyRefused extends Error {
  override readonly name = 'ProxyRefused';
  /** Null without an answer. */
  readonly status: number | null;
  constructor(message: string, { status = null }: { readonly status?: number | null } = {}) {
    super(message);
    this.status = status;
  }
}

/** The forward proxy is not reached, or refuses its user name and password. This shows nothing about a receiver. */
export class ProxyUnavailable extends Error {
  override readonly name = 'ProxyUnavailable';
}

export type ProxyFailure = ProxyRefused | ProxyUnavailable;

/** The event loop was blocked until after the deadline: the connection was established, and the request was not written. */
export class NotWritten extends Error {
  override readonly name = 'NotWritten';
}

/** All addresses of the host are forbidden for deliveries. */
export class AddressBlocked extends Error {
  override readonly name = 'AddressBlocked';
}

const REASON_OF_CODE: ReadonlyMap<unknown, UnreachableReason> = new Map([
  ['ECONNREFUSED', 'connection_refused'],
  ['ECONNRESET', 'connection_reset'],
  ['ECONNABORTED', 'connection_reset'],
  ['EPIPE', 'connection_reset'],
  ['ETIMEDOUT', 'timeout'],
  ['UND_ERR_CONNECT_TIMEOUT', 'timeout'],
  ['EPROTO', 'tls'],
]);

/** OpenSSL's errors, and Node's codes for invalid certificates. */
const TLS_CODE = /^ERR_(SSL|TLS)_|CERT|CRL|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/;

const DETAIL_OF_CODE: ReadonlyMap<unknown, ErrorDetail> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self_signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self_signed'],
  ['CERT_HAS_EXPIRED', 'expired'],
  ['CERT_NOT_YET_VALID', 'not_yet_valid'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'hostname_mismatch'],
  ['HOSTNAME_MISMATCH', 'hostname_mismatch'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'unknown_issuer'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'unknown_issuer'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'unknown_issuer'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'not_tls'],
  ['ERR_SSL_PACKET_LENGTH_TOO_LONG', 'not_tls'],
]);

/** Some versions of Node have one code for all errors of the handshake; only the text differs. */
const NOT_TLS = /wrong version number|packet length too long/i;

/** The client uses one code for a closed connection and for a malformed response; only the text differs. */
const CLOSED_BY_PEER = ['other side closed', 'closed'];

/** Shortages of this machine: file descriptors, memory for sockets, a network interface. */
const LOCAL_CODES: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'ENETDOWN']);

/** Why an error cannot be caused by a receiver, so that it is no attempt; null if it can. */
export function localCauseOf(error: unknown): LocalCause | null {
  if (error instanceof ProxyUnavailable) return 'proxy';
  return isLocalFailure(error) ? 'local' : null;
}

/** Whether an error is a shortage of this machine. */
export function isLocalFailure(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(isLocalFailure);
  if (error instanceof NotWritten) return true;
  if (!(error instanceof Error) || !('code' in error)) return false;
  if (LOCAL_CODES.has(error.code)) return true;
  // No free port. For an IPv6 address it may also mean that this machine has no such address.
  const isV6 = 'address' in error && String(error.address).includes(':');
  return error.code === 'EADDRNOTAVAIL' && !isV6;
}

/** The outcome of an error before the final status. Unknown errors are `network`. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof AddressBlocked) return { kind: 'unsendable', reason: 'blocked_address' };
  return { kind: 'unreachable', reason: reasonOf(error) };
}

function reasonOf(error: unknown): UnreachableReason {
  if (error instanceof LookupFailed) return 'dns';
  if (error instanceof AggregateError) return reasonOfMany(error.errors);
  if (!(error instanceof Error) || !('code' in error)) return 'network';
  const { code, message } = error;
  if (code === 'UND_ERR_SOCKET') return CLOSED_BY_PEER.includes(message) ? 'connection_reset' : 'network';
  return REASON_OF_CODE.get(code) ?? (TLS_CODE.test(String(code)) ? 'tls' : 'network');
}

/** Why no TLS connection was established with a server that was reached. */
export function tlsDetailOf(error: unknown): ErrorDetail {
  if (!(error instanceof Error) || !('code' in error)) return 'handshake';
  const { code, message } = error;
  const known = DETAIL_OF_CODE.get(code);
  if (known !== undefined) return known;
  if (code === 'EPROTO' && NOT_TLS.test(message)) return 'not_tls';
  const isOfHandshake =
    code === 'EPROTO' || reasonOf(error) !== 'tls' || /^ERR_(SSL|TLS)_/.test(String(code));
  return isOfHandshake ? 'handshake' : 'invalid_certificate';
}

/** All addresses failed: returns the first reason that is more specific than `network`. */
function reasonOfMany(errors: readonly unknown[]): UnreachableReason {
  return errors.map(reasonOf).find((reason) => reason !== 'network') ?? 'network';
}
