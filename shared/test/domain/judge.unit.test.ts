import { expect } from 'chai';
import { judge } from '../../src/domain/judge.js';
import { answered, unreachable, unsendable } from '../../src/testing/builders.js';

const DELIVERED = [200, 201, 202, 204, 299];
const RETRYABLE = [408, 429, 500, 501, 502, 503, 504, 599];
const PERMANENT = [300, 301, 307, 399, 400, 401, 403, 404, 407, 409, 410, 428, 430, 499, 600, 799, 999];
const NEVER_FINAL = [99, 100, 101, 103, 199];

describe('judge', () => {
  for (const status of DELIVERED) {
    it(`takes ${status} as delivered`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'delivered' });
    });
  }

  for (const status of RETRYABLE) {
    it(`retries ${status}`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'retryable', reason: 'http_status' });
    });
  }

  for (const status of PERMANENT) {
    it(`takes ${status} as a permanent failure`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'permanent', reason: 'http_status' });
    });
  }

  for (const status of NEVER_FINAL) {
    it(`takes ${status} as no answer at all and retries`, () => {
      expect(judge(answered(status))).to.deep.equal({ kind: 'retryable', reason: 'network' });
    });
  }

  it('lets the status alone decide, whatever became of the body', () => {
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
    it(`retries when no answer came: ${reason}`, () => {
      expect(judge(unreachable(reason))).to.deep.equal({ kind: 'retryable', reason });
    });
  }

  for (const reason of ['invalid_url', 'blocked_address'] as const) {
    it(`never retries what may not be sent: ${reason}`, () => {
      expect(judge(unsendable(reason))).to.deep.equal({ kind: 'permanent', reason });
    });
  }
});
