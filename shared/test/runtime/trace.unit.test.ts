import { expect } from 'chai';
import { newSpanId, newTraceId, parentSpanIdOf, traceIdOf, traceparentOf } from '../../src/runtime/trace.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('trace ids', () => {
  it('are 32 hex digits and unique', () => {
    const [one, other] = [newTraceId(), newTraceId()];
    expect(one).to.match(/^[0-9a-f]{32}$/);
    expect(one).not.to.equal(other);
  });

  it('of spans are 16 hex digits and unique', () => {
    const [one, other] = [newSpanId(), newSpanId()];
    expect(one).to.match(/^[0-9a-f]{16}$/);
    expect(one).not.to.equal(other);
  });

  const VALID = [
    ['version 00', `00-${TRACE}-${SPAN}-01`],
    ['a sender that did not sample', `00-${TRACE}-${SPAN}-00`],
    ['a later version with more at its end', `01-${TRACE}-${SPAN}-01-more`],
  ] as const;
  for (const [what, header] of VALID) {
    it(`are parsed from the traceparent of ${what}, with the parent span id`, () => {
      expect(traceIdOf(header)).to.equal(TRACE);
      expect(parentSpanIdOf(header)).to.equal(SPAN);
    });
  }

  it('are parsed from a formatted header', () => {
    const header = traceparentOf(TRACE, SPAN);
    expect([traceIdOf(header), parentSpanIdOf(header)]).to.deep.equal([TRACE, SPAN]);
  });

  const INVALID = [
    ['no header at all', undefined],
    ['an empty header', ''],
    ['version ff', `ff-${TRACE}-${SPAN}-01`],
    ['upper-case digits', `00-${TRACE.toUpperCase()}-${SPAN}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${SPAN}-01`],
    ['a span id of zeros', `00-${TRACE}-${'0'.repeat(16)}-01`],
    ['a trace id that is too short', `00-${TRACE.slice(1)}-${SPAN}-01`],
    ['something before it', `x00-${TRACE}-${SPAN}-01`],
    ['version 00 with something after it', `00-${TRACE}-${SPAN}-01-more`],
    ['flags of three digits', `00-${TRACE}-${SPAN}-011`],
  ] as const;
  for (const [what, header] of INVALID) {
    it(`are not parsed from ${what}`, () => {
      expect(traceIdOf(header)).to.equal(null);
      expect(parentSpanIdOf(header)).to.equal(null);
    });
  }
});
