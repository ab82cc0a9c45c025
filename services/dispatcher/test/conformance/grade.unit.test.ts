import { PROBES } from '@postrider/shared/domain/conformance-check';
import { expect } from 'chai';
import { type Answer, grade } from '../../src/conformance/grade.js';

const answered = (httpStatus: number): Answer => ({
  kind: 'posted',
  outcome: { kind: 'answered', httpStatus, responseBody: null },
  durationMs: 7,
});

describe('grade', () => {
  it('accepts any 2xx for a genuine request and a 4xx for any other', () => {
    for (const probe of ['valid', 'duplicate', 'two_signatures', 'slow_body'] as const) {
      expect(grade(probe, answered(204))).to.deep.equal({
        probe,
        expected: '2xx',
        got: { httpStatus: 204, durationMs: 7 },
        passed: true,
        advice: null,
      });
      expect(grade(probe, answered(400)).passed).to.equal(false);
    }
    for (const probe of ['forged', 'stale', 'missing_headers'] as const) {
      expect(grade(probe, answered(401))).to.include({ passed: true, advice: null, expected: '4xx' });
      expect(grade(probe, answered(200)).passed).to.equal(false);
    }
  });

  it('takes only a final 4xx for a refusal', () => {
    for (const status of [101, 301, 408, 429, 500, 503, 600]) {
      expect(grade('forged', answered(status)).passed).to.equal(false);
    }
  });

  it('says what to change for each probe and each kind of answer', () => {
    const unreachable: Answer = {
      kind: 'posted',
      outcome: { kind: 'unreachable', reason: 'timeout' },
      durationMs: 1,
    };
    const answers = [answered(302), answered(429), answered(500), unreachable];
    for (const probe of PROBES) {
      const unexpected = grade(probe, answered(grade(probe, answered(200)).passed ? 400 : 200));
      expect(unexpected.advice).to.match(/^The receiver .*\.$/);
      const advices = answers.map((answer) => grade(probe, answer).advice);
      expect(new Set([unexpected.advice, ...advices]).size).to.equal(5);
    }
    expect(grade('valid', unreachable)).to.deep.include({ got: null });
  });
});
