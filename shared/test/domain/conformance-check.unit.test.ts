import { expect } from 'chai';
import {
  addResult,
  atMoment,
  CHECK_LIMIT_MS,
  type ConformanceCheck,
  EXPECTED,
  endEarly,
  newCheck,
  nextProbe,
  PROBES,
  type Probe,
} from '../../src/domain/conformance-check.js';
import { asId } from '../../src/domain/id.js';
import { CHECK_WINDOW_MS, limitChecks } from '../../src/domain/limit-checks.js';
import { ENDPOINT_ID, later, NOON, TRACE_ID, WORKSPACE_ID } from '../../src/testing/builders.js';

const CHECK = newCheck({
  id: asId('conformanceCheck', 'chk_1'),
  workspaceId: WORKSPACE_ID,
  endpointId: ENDPOINT_ID,
  traceId: TRACE_ID,
  startedAt: NOON,
});
const result = (probe: Probe, passed = true) => ({
  probe,
  expected: EXPECTED[probe],
  got: { httpStatus: 200, durationMs: 1 },
  passed,
  advice: passed ? null : 'change it',
});
const after = (...failing: Probe[]) =>
  PROBES.reduce<ConformanceCheck>(
    (check, probe) => addResult(check, result(probe, !failing.includes(probe)), NOON),
    CHECK,
  );

describe('conformance check', () => {
  it('passes with the last probe if all passed', () => {
    expect(after()).to.include({ status: 'passed', endedAt: NOON });
    expect(after('stale')).to.include({ status: 'failed' });
  });

  it('is running until the last result and names the next probe', () => {
    const one = addResult(CHECK, result('valid'), NOON);
    expect(one).to.include({ status: 'running', endedAt: null });
    expect(nextProbe(one)).to.equal('duplicate');
    expect(nextProbe(after())).to.equal(null);
  });

  it('gives every probe that was not sent a failed result with the reason', () => {
    const ended = endEarly(addResult(CHECK, result('valid'), NOON), 'Not sent.', NOON);
    expect(ended.results.map(({ probe }) => probe)).to.deep.equal([...PROBES]);
    expect(ended.results.at(-1)).to.include({ passed: false, got: null, advice: 'Not sent.' });
    expect(ended.status).to.equal('failed');
  });

  it('is failed once it has run for five minutes', () => {
    expect(atMoment(CHECK, later(CHECK_LIMIT_MS - 1)).status).to.equal('running');
    const overdue = atMoment(CHECK, later(CHECK_LIMIT_MS * 2));
    expect(overdue).to.deep.include({ status: 'failed', endedAt: later(CHECK_LIMIT_MS) });
    expect(overdue.results[0]!.advice).to.include('within five minutes');
    expect(atMoment(after(), later(CHECK_LIMIT_MS)).status).to.equal('passed');
  });
});

describe('limit of conformance checks', () => {
  const started = (count: number, endpointId = ENDPOINT_ID) =>
    Array.from({ length: count }, (_, n) => ({ endpointId, startedAt: later(n * 1_000) }));
  const now = later(60_000);

  it('admits five an hour at an endpoint', () => {
    expect(limitChecks(started(4), ENDPOINT_ID, now)).to.equal(null);
    expect(limitChecks(started(5, asId('endpoint', 'whe_other')), ENDPOINT_ID, now)).to.equal(null);
    expect(limitChecks(started(5), ENDPOINT_ID, now)).to.deep.equal({
      limit: 5,
      of: 'endpoint',
      afterMs: CHECK_WINDOW_MS - 60_000,
    });
  });

  it('admits sixty an hour at the endpoints of a workspace', () => {
    const others = Array.from({ length: 60 }, (_, n) => started(1, asId('endpoint', `whe_${n}`))[0]!);
    expect(limitChecks(others.slice(1), ENDPOINT_ID, now)).to.equal(null);
    expect(limitChecks(others, ENDPOINT_ID, now)).to.include({ limit: 60, of: 'workspace' });
  });
});
