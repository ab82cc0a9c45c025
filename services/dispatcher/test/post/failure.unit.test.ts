import { expect } from 'chai';
import { errors } from 'undici';
import { AddressBlocked, LookupFailed, outcomeOf } from '../../src/post/failure.js';

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
