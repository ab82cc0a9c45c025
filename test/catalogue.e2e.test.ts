import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@postrider/shared/testing/eventually';
import { expect } from 'chai';
import { parse, stringify } from 'yaml';
import { PATHS } from '#dev/start/paths';
import { type System, startSystem } from './system.js';

const PAID = {
  type: 'invoice.paid',
  data: { invoiceId: 'in_1', customer: { id: 'cus_1' }, amount: 4200, currency: 'EUR' },
};
const BATCH = 20;

describe('a change of the catalogue under load', () => {
  let system: System;
  before(async () => {
    system = await startSystem({}, ['api', 'dispatcher']);
    await system.admin(['catalogue', 'apply', PATHS.eventTypes]);
    const body = { url: `${system.receiver.url}/hooks`, eventTypes: ['*'] };
    await system.client.call('POST', '/webhooks', body);
  });
  after(() => system?.stop());

  type Answer = Awaited<ReturnType<System['client']['raw']>>;
  const publish = (event: object) =>
    system.client.raw('POST', '/events/batch', { events: Array(BATCH).fill(event) });
  const idsOf = ({ body }: Answer) => (body.events as { eventId: string }[]).map(({ eventId }) => eventId);

  it('loses no event, and each arrives once', async () => {
    const accepted: string[] = [];
    /** Publishes until the catalogue accepts an event of this kind, and then once more. */
    const publishUntil = async (event: object, isAccepted: (answer: Answer) => boolean) => {
      await eventually(async () => {
        const old = await publish(PAID);
        if (old.status === 202) accepted.push(...idsOf(old));
        const answer = await publish(event);
        if (answer.status === 202) accepted.push(...idsOf(answer));
        expect(isAccepted(answer), JSON.stringify(answer.body)).to.equal(true);
      }, 30_000);
    };
    await publishUntil(PAID, ({ status }) => status === 202);

    const refunded = { type: 'invoice.refunded', data: { invoiceId: 'in_1', reason: 'late' } };
    const changed = join(tmpdir(), `event-types-${process.pid}.yaml`);
    writeFileSync(changed, withRefunds());
    const [applied] = await Promise.all([
      system.admin(['catalogue', 'apply', changed]),
      publishUntil(refunded, ({ status }) => status === 202),
    ]);
    expect(applied)
      .to.match(/changed\s+invoice\.paid/)
      .and.to.match(/added\s+invoice\.refunded/);

    const wanted = new Set(accepted);
    await eventually(() => {
      const arrived = system.receiver.received.map(({ body }) => JSON.parse(body).payload.eventId as string);
      const custom = arrived.filter((id) => wanted.has(id));
      expect(custom.length, 'deliveries').to.equal(wanted.size);
      expect(new Set(custom).size, 'events that arrived').to.equal(wanted.size);
    }, 30_000);
  });
});

/** The example with a new optional field of one type, and one more type. */
function withRefunds(): string {
  const file = parse(readFileSync(PATHS.eventTypes, 'utf8'));
  file.eventTypes[0].schema.properties.note = { type: 'string' };
  file.eventTypes.push({
    name: 'invoice.refunded',
    description: 'An invoice was refunded.',
    schema: {
      type: 'object',
      required: ['invoiceId'],
      properties: { invoiceId: { type: 'string' }, reason: { type: 'string' } },
    },
    examples: [{ invoiceId: 'in_1', reason: 'late' }],
  });
  return stringify(file);
}
