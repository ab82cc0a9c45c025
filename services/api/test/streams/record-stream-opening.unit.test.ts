import type { AuditEvent } from '@postrider/shared/domain/audit-event';
import { asId, derivedId } from '@postrider/shared/domain/id';
import { expect } from 'chai';
import type { StreamQuery } from '../../src/domain/stream-query.js';
import type { AuditContext } from '../../src/operations/call.js';
import { recordStreamOpening } from '../../src/operations/record-stream-opening.js';

const EVENTS: StreamQuery = {
  source: 'events',
  workspaceId: 'ws_1',
  endpointIds: null,
  eventType: null,
  withPayload: false,
};
const DELIVERIES: StreamQuery = { ...EVENTS, source: 'deliveries' };
const START = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

async function recorded(query: StreamQuery, { atMinute = 0, address = '192.0.2.1', actor = 'tok_1' } = {}) {
  const entries: AuditEvent[] = [];
  const call = {
    workspace: { id: asId('workspace', 'ws_1') },
    actor: { type: 'api_token', id: actor },
    source: { address, userAgent: null, traceId: 'trace' },
  } as AuditContext;
  const deps = {
    auditTrail: { recordOnce: async (entry: AuditEvent) => void entries.push(entry) },
    clock: { now: () => new Date(START + atMinute * MINUTE) },
    newId: () => derivedId('audit', new Date(START), 'new') as never,
  };
  await recordStreamOpening(deps, call, query);
  return entries[0];
}

describe('recordStreamOpening', () => {
  it('writes one entry within an hour for the same caller, address, source, target and type', async () => {
    const first = await recorded(EVENTS);
    expect(await recorded(EVENTS, { atMinute: 59 })).to.have.property('id', first?.id);
    const others = [
      await recorded(EVENTS, { atMinute: 60 }),
      await recorded(EVENTS, { address: '192.0.2.2' }),
      await recorded(EVENTS, { actor: 'tok_2' }),
      await recorded({ ...DELIVERIES, withPayload: true }),
      await recorded({ ...DELIVERIES, withPayload: true, endpointIds: new Set(['whe_1']) }),
    ];
    expect(new Set([first, ...others].map((entry) => entry?.id)).size).to.equal(6);
  });

  it('writes entries of their own for a stream of one type and for those that show other types', async () => {
    const narrow = await recorded({ ...EVENTS, eventType: 'member.invited' });
    const other = await recorded({ ...EVENTS, eventType: 'member.removed' });
    const all = await recorded(EVENTS);
    expect(new Set([narrow, other, all].map((entry) => entry?.id)).size).to.equal(3);
    expect(all?.metadata).to.deep.equal({ source: 'events', eventType: null });
  });

  it('names the endpoint, or the workspace where there is not just one', async () => {
    const targetOf = async (ids: readonly string[]) =>
      (await recorded({ ...DELIVERIES, withPayload: true, endpointIds: new Set(ids) }))?.target;
    expect(await targetOf(['whe_1'])).to.deep.equal({ type: 'endpoint', id: 'whe_1' });
    expect(await targetOf(['whe_1', 'whe_2'])).to.deep.equal({ type: 'workspace', id: 'ws_1' });
  });

  it('writes nothing for streams without payloads', async () => {
    expect(await recorded(DELIVERIES)).to.equal(undefined);
  });
});
