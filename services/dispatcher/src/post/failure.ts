import type { Outcome, UnreachableReason } from '@postrider/shared/domain/judge';

/** A name did not turn into an address in time. */
export class LookupFailed extends Error {
  override readonly name = 'LookupFailed';
}

/** The host leads only to addresses that deliveries must not reach. */
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

/** OpenSSL's own errors, and the names that Node gives to what is wrong with a certificate. */
const TLS_CODE = /^ERR_(SSL|TLS)_|CERT|CRL|^UNABLE_TO_|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$/;

/** The client uses one code for a peer that went away and for one that answers nonsense; only the text differs. */
const PEER_WENT_AWAY = ['other side closed', 'closed'];

/** What an error means that came before a final status did. Whatever is not known is `network`. */
export function outcomeOf(error: unknown): Outcome {
  if (error instanceof AddressBlocked) return { kind: 'unsendable', reason: 'blocked_address' };
  return { kind: 'unreachable', reason: reasonOf(error) };
}

function reasonOf(error: unknown): UnreachableReason {
  if (error instanceof LookupFailed) return 'dns';
  if (error instanceof AggregateError) return reasonOfMany(error.errors);
  if (!(error instanceof Error) || !('code' in error)) return 'network';
  const { code, message } = error;
  if (code === 'UND_ERR_SOCKET') return PEER_WENT_AWAY.includes(message) ? 'connection_reset' : 'network';
  return REASON_OF_CODE.get(code) ?? (TLS_CODE.test(String(code)) ? 'tls' : 'network');
}

/** Several addresses were tried, each failed in its own way: the first that says more than `network`. */
function reasonOfMany(errors: readonly unknown[]): UnreachableReason {
  return errors.map(reasonOf).find((reason) => reason !== 'network') ?? 'network';
}
