import { expect } from 'chai';
import fc from 'fast-check';
import { DELIVERY_STATUSES, FAILURE_REASONS } from '../../src/domain/delivery.js';
import { type DeliveryOutcome, OUTCOME_KINDS } from '../../src/domain/delivery-outcome.js';
import { asId } from '../../src/domain/id.js';
import { OUTCOME_PAYLOADS } from '../../src/events/outcome-payloads.js';
import { createOutcomeEncoder } from '../../src/kafka/outcome-records.js';
import { unframe } from '../../src/kafka/wire-format.js';
import { parentSpanIdOf, traceIdOf } from '../../src/runtime/trace.js';
import { decodeRecords } from '../../src/testing/decode-records.js';

const SCHEMA_IDS = { 'delivery.created': 7, 'delivery.attempted': 200, 'delivery.ended': 70_000 };
const encode = createOutcomeEncoder(SCHEMA_IDS);

const idOf = (prefix: string) => fc.stringMatching(/^[a-z0-9]{1,40}$/).map((id) => `${prefix}_${id}`);
const text = fc.string({ unit: 'binary', maxLength: 1_200 });
const orNull = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: null });
const TRACE = fc.stringMatching(/^[0-9a-f]{31}[1-9a-f]$/);

const OUTCOME: fc.Arbitrary<DeliveryOutcome> = fc.record({
  kind: fc.constantFrom(...OUTCOME_KINDS),
  id: idOf('whd'),
  traceId: TRACE,
  at: fc.date({ min: new Date(0), max: new Date('2100-01-01T00:00:00Z'), noInvalidDate: true }),
  value: fc.record({
    workspaceId: idOf('ws').map((id) => asId('workspace', id)),
    deliveryId: idOf('whd'),
    endpointId: fc.constantFrom('whe_1', 'whe_2', 'whe_3').map((id) => asId('endpoint', id)),
    eventId: text,
    eventType: text as fc.Arbitrary<DeliveryOutcome['value']['eventType']>,
    status: fc.constantFrom(...DELIVERY_STATUSES),
    attempts: fc.nat(8),
    httpStatus: orNull(fc.integer({ min: 100, max: 999 })),
    failureReason: orNull(fc.constantFrom(...FAILURE_REASONS)),
    durationMs: orNull(fc.double({ min: 0, max: 60_000, noNaN: true })),
  }),
});

describe('records of outcomes', () => {
  it('have the fields, the key and the headers of the contract, whatever the outcome has', async () => {
    const check = async (outcome: DeliveryOutcome) => {
      const [record] = await decodeRecords(encode([outcome]));
      const { kind, id, at, traceId, value } = outcome;
      const { id: schemaId, text: json } = unframe(record!.value);
      expect(String(record!.key)).to.equal(value.endpointId);
      expect(schemaId).to.equal(SCHEMA_IDS[kind]);
      expect(JSON.parse(json)).to.deep.equal(JSON.parse(JSON.stringify({ ...value, at: at.toISOString() })));
      const headers = Object.fromEntries(
        Object.entries(record!.headers).map(([name, bytes]) => [name, String(bytes)]),
      );
      const { traceparent, ...others } = headers;
      expect(others).to.deep.equal({
        ce_specversion: '1.0',
        ce_id: id,
        ce_type: kind,
        ce_source: `/workspaces/${value.workspaceId}`,
        ce_time: at.toISOString(),
        'content-type': 'application/json',
      });
      expect(traceIdOf(traceparent)).to.equal(traceId);
      expect(parentSpanIdOf(traceparent)).to.match(/^[0-9a-f]{16}$/);
    };
    await fc.assert(fc.asyncProperty(OUTCOME, check), { numRuns: 200 });
  });

  it('have every field of their schema', async () => {
    for (const kind of OUTCOME_KINDS) {
      const [outcome] = fc.sample(OUTCOME, 1) as [DeliveryOutcome];
      const [record] = await decodeRecords(encode([{ ...outcome, kind }]));
      const fields = Object.keys(OUTCOME_PAYLOADS[kind].properties);
      expect(Object.keys(JSON.parse(unframe(record!.value).text))).to.deep.equal(fields);
    }
  });

  it('keep the order of each endpoint and have consecutive offsets', async () => {
    const check = async (outcomes: DeliveryOutcome[]) => {
      const records = await decodeRecords(encode(outcomes));
      expect(records.map(({ offset }) => offset)).to.deep.equal(outcomes.map((_, index) => String(index)));
      const idsOf = (key: string) =>
        records.filter((one) => String(one.key) === key).map(({ headers }) => String(headers.ce_id));
      for (const key of ['whe_1', 'whe_2', 'whe_3'])
        expect(idsOf(key)).to.deep.equal(
          outcomes.filter(({ value }) => value.endpointId === key).map(({ id }) => id),
        );
    };
    await fc.assert(fc.asyncProperty(fc.array(OUTCOME, { minLength: 1, maxLength: 100 }), check), {
      numRuns: 50,
    });
  });
});
