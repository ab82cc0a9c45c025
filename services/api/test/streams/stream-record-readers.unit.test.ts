import { customEventType } from '@postrider/shared/catalogue/catalogue';
import { frame } from '@postrider/shared/kafka/wire-format';
import { idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createEventReader } from '../../src/streams/stream-record-readers.js';

const OTHER_WORKSPACE = idFor('workspace', 'other');
const PAYLOAD = {
  eventId: idFor('event', 'plan changed'),
  occurredAt: NOON.toISOString(),
  workspaceId: WORKSPACE_ID,
  previousPlan: 'free',
  plan: 'team',
};

const INVOICE = { invoiceId: 'in_1', amount: 1 };
const invoicePaid = customEventType(anEventType());
const types = new Map([[invoicePaid.definition.name, invoicePaid]]);
const reader = createEventReader({ current: () => ({ version: 1, types }) });

function aRecord(key: string | null, json: string, type = 'billing.plan_changed') {
  return {
    ...{ partition: 0, offset: 0, timestamp: 0, key: key === null ? null : Buffer.from(key) },
    ...{ value: frame(1, json), headers: { ce_type: type } },
  };
}

describe('records of events for streams', () => {
  const texts = {
    compact: JSON.stringify(PAYLOAD),
    spaced: JSON.stringify(PAYLOAD, null, 1),
    tabulated: JSON.stringify(PAYLOAD, null, '\t').replaceAll(': ', ':\t'),
  };
  for (const [name, text] of Object.entries(texts))
    for (const key of [WORKSPACE_ID, OTHER_WORKSPACE, 'team', '', null])
      it(`belong to the workspace of their payload (key ${key}, ${name} JSON)`, () => {
        const record = aRecord(key, text);
        expect(reader.workspaceOf(record)).to.equal(WORKSPACE_ID);
        expect(reader.read(record)?.data).to.deep.include({ eventId: PAYLOAD.eventId, payload: PAYLOAD });
      });

  it('belong to the workspace of their payload although a part of it names the one of their key', () => {
    const record = aRecord(
      OTHER_WORKSPACE,
      JSON.stringify({ ...PAYLOAD, from: { workspaceId: OTHER_WORKSPACE } }),
    );
    expect(reader.workspaceOf(record)).to.equal(WORKSPACE_ID);
    expect(reader.read(record)?.data.eventId).to.equal(PAYLOAD.eventId);
  });

  // Regression: to write such a record exceeded the stack.
  it('are left out if they are nested deeper than a message may be', () => {
    const open = customEventType(anEventType({ schema: { type: 'object', additionalProperties: true } }));
    const { read } = createEventReader({
      current: () => ({ version: 1, types: new Map([['invoice.paid', open]]) }),
    });
    const json = (depth: number) =>
      JSON.stringify({ ...PAYLOAD, list: 'LIST' }).replace('"LIST"', '['.repeat(depth) + ']'.repeat(depth));
    expect(read(aRecord(WORKSPACE_ID, json(999), 'invoice.paid'))).to.not.equal(null);
    for (const depth of [1_000, 400_000])
      expect(read(aRecord(WORKSPACE_ID, json(depth), 'invoice.paid'))).to.equal(null);
  });

  it('have the time in UTC with milliseconds, as webhooks do', () => {
    const occurredAt = NOON.toISOString().replace('12:00:00.000Z', '14:00:00+02:00');
    for (const [type, fields] of Object.entries({ 'billing.plan_changed': {}, 'invoice.paid': INVOICE })) {
      const record = aRecord(WORKSPACE_ID, JSON.stringify({ ...PAYLOAD, ...fields, occurredAt }), type);
      const { data } = reader.read(record) ?? {};
      expect(data?.occurredAt).to.equal(NOON.toISOString());
      expect(data?.payload).to.deep.include({ occurredAt: NOON.toISOString() });
      const without = aRecord(
        WORKSPACE_ID,
        JSON.stringify({ ...PAYLOAD, ...fields, occurredAt: '2026-03-01T12:00' }),
        type,
      );
      expect(reader.read(without)).to.equal(null);
    }
  });

  for (const [name, text] of Object.entries({
    'no JSON': '{',
    'no object': '[]',
    'no workspace': JSON.stringify({ ...PAYLOAD, workspaceId: undefined }),
    'a workspace that is no text': JSON.stringify({ ...PAYLOAD, workspaceId: 7 }),
  }))
    it(`are shown to none if they have ${name}`, () => {
      const record = aRecord(OTHER_WORKSPACE, text);
      expect(reader.workspaceOf(record)).to.equal(null);
      expect(reader.read(record)).to.equal(null);
    });
});
