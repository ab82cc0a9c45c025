import type { FinishedSpan } from '@postrider/shared/ports/tracing';
import {
  aDelivery,
  anAttemptObservation,
  anEndpoint,
  answered,
  unreachable,
  unsendable,
} from '@postrider/shared/testing/builders';
import { expect } from 'chai';
import { rowToSend } from '../../src/engine/sending/loaded-row.js';
import type { SendAttempt } from '../../src/engine/sending/send-attempt.js';
import { traceDeliveries } from '../../src/instrumentation/trace-deliveries.js';
import { aClock, aJob, aSentAttempt } from '../engine/builders.js';

/** The spans of an attempt with this result. */
async function spansOf(result: Awaited<ReturnType<SendAttempt>>): Promise<readonly FinishedSpan[]> {
  const spans: FinishedSpan[] = [];
  const { sendAttempt } = traceDeliveries({
    tracing: { newSpanId: () => 'span', record: (span) => spans.push(span), close: async () => {} },
    clock: aClock(),
    monotonicMs: () => 0,
  });
  const traced = sendAttempt(async () => result);
  expect(await traced(aJob(), rowToSend(aDelivery()), anEndpoint())).to.equal(result);
  return spans;
}

describe('traceDeliveries', () => {
  for (const [outcome, failed] of [
    [answered(204), false],
    [answered(301), true],
    [answered(503), true],
    [unreachable('timeout'), true],
    [unsendable('invalid_url'), true],
  ] as const) {
    it(`records a span that ${failed ? 'failed' : 'succeeded'} for ${JSON.stringify(outcome)}`, async () => {
      const [span, ...others] = await spansOf(aSentAttempt(anAttemptObservation({ outcome })));
      expect(span).to.include({ name: 'attempt', failed });
      expect(others).to.deep.equal([]);
    });
  }

  it('records no span if no attempt was made', async () => {
    expect(await spansOf({ kind: 'postponed', cause: 'look_up', forMs: 700 })).to.deep.equal([]);
    expect(await spansOf({ kind: 'undecryptable', error: new Error('unknown key') })).to.deep.equal([]);
  });
});
