import { PostriderError, type ProblemTag, UnexpectedAnswer } from '@postrider/client';
import { expect } from 'chai';
import { isWorthRetrying } from '../src/session/is-worth-retrying.js';
import { pollBy, pollEvery } from '../src/session/poll-every.js';

const SECOND = 1_000;
const refusal = (status: number, tag: ProblemTag) =>
  new PostriderError({ type: 'urn:x', title: 'x', status, detail: 'x', tag, traceId: 'x' });

describe('polling', () => {
  /** @param failingMs from the last answer to the last error; null if there was no answer */
  const after = (error: unknown, failingMs: number | null, data: unknown = {}) => {
    const errorUpdatedAt = 1_000_000 * SECOND;
    const dataUpdatedAt = failingMs === null ? 0 : errorUpdatedAt - failingMs;
    return { state: { data, error, dataUpdatedAt, errorUpdatedAt } };
  };

  it('has the same interval while answers arrive', () => {
    expect(pollEvery(15 * SECOND)(after(null, -SECOND))).to.equal(15 * SECOND);
  });

  // Regression: an open tab whose token had ended, or whose endpoint was deleted, asked for ever.
  for (const [status, tag] of [
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
    [404, 'EndpointNotFound'],
  ] as const)
    it(`ends after a ${status}, and resumes once a person has read it again`, () => {
      expect(pollEvery(15 * SECOND)(after(refusal(status, tag), 15 * SECOND))).to.equal(false);
      expect(pollEvery(15 * SECOND)(after(null, 0))).to.equal(15 * SECOND);
    });

  it('takes longer the longer nothing could be read, up to a minute', () => {
    for (const error of [
      refusal(503, 'Unavailable'),
      refusal(429, 'RateLimited'),
      new TypeError('offline'),
    ]) {
      const intervals = [1, 10, 30, 600].map((seconds) =>
        pollEvery(3 * SECOND)(after(error, seconds * SECOND)),
      );
      expect(intervals).to.deep.equal([3, 10, 30, 60].map((seconds) => seconds * SECOND));
      expect(pollEvery(90 * SECOND)(after(error, 600 * SECOND))).to.equal(90 * SECOND);
      expect(pollEvery(3 * SECOND)(after(error, null, undefined))).to.equal(60 * SECOND);
    }
  });

  it('depends on what was read', () => {
    const interval = pollBy<{ readonly isOpen: boolean }>((data) => data?.isOpen === true && SECOND);
    expect(interval(after(null, 0, { isOpen: true }) as never)).to.equal(SECOND);
    expect(interval(after(null, 0, { isOpen: false }) as never)).to.equal(false);
    expect(interval(after(new TypeError('offline'), null, undefined) as never)).to.equal(false);
  });
});

describe('a failed read', () => {
  // Regression: a read that a proxy refused with 503 was sent nine times, three times by the client for each of three attempts.
  it('is repeated only if the client has not done it, and another answer is possible', () => {
    const repeated = [
      refusal(500, 'Internal'),
      new UnexpectedAnswer(502, ''),
      new UnexpectedAnswer(504, ''),
      refusal(503, 'Unavailable'),
      new UnexpectedAnswer(503, ''),
      new UnexpectedAnswer(403, ''),
      refusal(404, 'EndpointNotFound'),
      new TypeError('fetch failed'),
    ].map(isWorthRetrying);
    expect(repeated).to.deep.equal([true, false, false, false, false, false, false, false]);
  });
});
