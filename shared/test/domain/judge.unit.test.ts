import { expect } from 'chai';
import { isRedirect, judge } from '../../src/domain/judge.js';
import { answered, unreachable, unsendable } from '../../src/testing/builders.js';

const DELIVERED = [200, 201, 202, 204, 299];
const RETRYABLE = [408, 429, 500, 501, 502, 503, 504, 599];
const PERMANENT = [300, 301, 307, 399, 400, 401, 403, 404, 407, 409, 410, 428, 430, 499, 600, 799, 999];
const NEVER_FINAL = [99, 100, 101, 103, 199];

describe('isRedirect', () => {
  it('is true for each 3xx and no other status', () => {
    for (const status of [300, 301, 307, 399]) expect(isRedirect(status)).to.equal(true);
    for (const status of [299, 400, 500]) expect(isRedirect(status)).to.equal(false);
  });
});

describe('judge', () => {
  for (const status of DELIVERED) {
    it(`classifies status ${status} as delivered`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'delivered' });
    });
  }

  for (const status of RETRYABLE) {
    it(`classifies status ${status} as retryable`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'retryable', reason: 'http_status' });
    });
  }

  for (const status of PERMANENT) {
    it(`classifies status ${status} as a permanent failure`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'permanent', reason: 'http_status' });
    });
  }

  for (const status of NEVER_FINAL) {
    it(`classifies status ${status} as a retryable network failure, because it is never final`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'retryable', reason: 'network' });
    });
  }

  it('ignores the response body', () => {
    for (const status of [...DELIVERED, ...RETRYABLE, ...PERMANENT]) {
      expect(judge(answered(status, 'a body'))).to.deep.equal(judge(answered(status, null)));
    }
  });

  for (const reason of [
    'timeout',
    'connection_refused',
    'connection_reset',
    'dns',
    'tls',
    'network',
  ] as const) {
    it(`classifies a missing response as retryable: ${reason}`, () => {
      expect(judge(unreachable(reason))).to.deep.equal({ kind: 'retryable', reason });
    });
  }

  for (const reason of ['invalid_url', 'blocked_address'] as const) {
    it(`classifies a request that must not be sent as a permanent failure: ${reason}`, () => {
      expect(judge(unsendable(reason))).to.deep.equal({ kind: 'permanent', reason });
    });
  }
});
