import { expect } from 'chai';
import { errors } from 'undici';
import { AddressBlocked, LookupFailed, outcomeOf, tlsDetailOf } from '../../src/post/failure.js';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });

const REASONS: readonly (readonly [what: string, error: unknown, reason: string])[] = [
  ['a name without an address', new LookupFailed('x'), 'dns'],
  ['a refused connection', coded('ECONNREFUSED'), 'connection_refused'],
  ['a reset', coded('ECONNRESET'), 'connection_reset'],
  ['a write to a closed connection', coded('EPIPE'), 'connection_reset'],
  [
    'a connection closed before the response',
    new errors.SocketError('other side closed'),
    'connection_reset',
  ],
  ['a closed connection', new errors.SocketError('closed'), 'connection_reset'],
  ['a final 100', new errors.SocketError('bad response'), 'network'],
  ['a final 101', new errors.SocketError('bad upgrade'), 'network'],
  ['no route', coded('EHOSTUNREACH'), 'network'],
  ['no network', coded('ENETUNREACH'), 'network'],
  ['a connect time-out', new errors.ConnectTimeoutError(), 'timeout'],
  ["the kernel's connect time-out", coded('ETIMEDOUT'), 'timeout'],
  ['headers beyond the limit', new errors.HeadersOverflowError(), 'network'],
  ['a response that is not HTTP', coded('HPE_INVALID_CONSTANT'), 'network'],
  ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
  ['an unknown issuer', coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'tls'],
  ['an unverified leaf', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls'],
  ['an expired certificate', coded('CERT_HAS_EXPIRED'), 'tls'],
  ['another host’s certificate', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
  ['a TLS alert', coded('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'), 'tls'],
  ['a server without TLS', coded('EPROTO'), 'tls'],
  ['an assertion of the client', coded('ERR_ASSERTION'), 'network'],
  ['a closed client', new errors.ClientDestroyedError(), 'network'],
  ['an error without a code', new TypeError('x'), 'network'],
  ['a value that is not an error', 'x', 'network'],
  [
    'all addresses refused',
    new AggregateError([coded('ECONNREFUSED'), coded('ECONNREFUSED')]),
    'connection_refused',
  ],
  [
    'one address without a route, one refused',
    new AggregateError([coded('ENETUNREACH'), coded('ECONNREFUSED')]),
    'connection_refused',
  ],
  ['no route to any address', new AggregateError([coded('ENETUNREACH')]), 'network'],
];

const DETAILS: readonly (readonly [what: string, error: unknown, detail: string])[] = [
  ['a self-signed certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'self_signed'],
  ['a self-signed authority', coded('SELF_SIGNED_CERT_IN_CHAIN'), 'self_signed'],
  ['a missing intermediate certificate', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'unknown_issuer'],
  ['an unknown issuer', coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'unknown_issuer'],
  ['an expired certificate', coded('CERT_HAS_EXPIRED'), 'expired'],
  ['a certificate of the future', coded('CERT_NOT_YET_VALID'), 'not_yet_valid'],
  ['another host’s certificate', coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'hostname_mismatch'],
  ['a revoked certificate', coded('CERT_REVOKED'), 'invalid_certificate'],
  ['an invalid authority', coded('INVALID_CA'), 'invalid_certificate'],
  ['plain HTTP', coded('ERR_SSL_WRONG_VERSION_NUMBER'), 'not_tls'],
  ['plain HTTP in other versions of Node', coded('EPROTO', '…:wrong version number:…'), 'not_tls'],
  ['an alert', coded('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'), 'handshake'],
  [
    'a certificate that the receiver asks for',
    coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
    'handshake',
  ],
  ['a closed connection', coded('ECONNRESET'), 'handshake'],
  ['no error but the deadline', undefined, 'handshake'],
];

describe('tlsDetailOf', () => {
  for (const [what, error, detail] of DETAILS) {
    it(`maps ${what} to ${detail}`, () => {
      expect(tlsDetailOf(error)).to.equal(detail);
    });
  }
});

describe('outcomeOf', () => {
  for (const [what, error, reason] of REASONS) {
    it(`maps ${what} to ${reason}`, () => {
      expect(outcomeOf(error)).to.deep.equal({ kind: 'unreachable', reason });
    });
  }

  it('maps a forbidden address to unsendable', () => {
    const outcome = outcomeOf(new AddressBlocked('x'));
    expect(outcome).to.deep.equal({ kind: 'unsendable', reason: 'blocked_address' });
  });
});
