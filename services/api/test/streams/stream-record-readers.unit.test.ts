import { EMPTY_CATALOGUE } from '@postrider/shared/catalogue/catalogue';
import { frame } from '@postrider/shared/kafka/wire-format';
import { idFor, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
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

const reader = createEventReader({ current: () => EMPTY_CATALOGUE });

function aRecord(key: string | null, json: string) {
  return {
    ...{ partition: 0, offset: 0, timestamp: 0, key: key === null ? null : Buffer.from(key) },
    ...{ value: frame(1, json), headers: { ce_type: 'billing.plan_changed' } },
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
