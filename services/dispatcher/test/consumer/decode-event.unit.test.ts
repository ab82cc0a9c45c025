import { customEventType } from '@postrider/shared/catalogue/catalogue';
import { idOf } from '@postrider/shared/domain/id';
import { later, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createDecodeEvent } from '../../src/consumer/decode-event.js';
import { createReadByCatalogue } from '../../src/fan-out/read-by-catalogue.js';

const MINUTE = 60_000;

/** Reads an event of now, noon, with clocks that are so far ahead of it. */
function readWithClocks({ database, machine }: { database: number; machine: number }) {
  const event = {
    eventId: idOf('event', NOON, Buffer.alloc(10)),
    occurredAt: NOON.toISOString(),
    workspaceId: WORKSPACE_ID,
    invoiceId: 'in_1',
    amount: 1,
  };
  const catalogue = fixedCatalogue([anEventType()]);
  const fresh = { isDue: () => true, read: catalogue.refresh };
  const read = createDecodeEvent({
    codec: { decode: async () => event },
    customCodec: { decode: async () => event },
    awaitType: () => customEventType(anEventType()),
    readByCatalogue: createReadByCatalogue({ catalogue, fresh, monotonicMs: () => 0 }),
    clock: { now: () => later(database) },
    wallMs: () => NOON.getTime() + machine,
  });
  return read({
    topic: 'workspace.events',
    partition: 0,
    offset: 0,
    timestamp: 0,
    key: null,
    value: Buffer.alloc(0),
    headers: { ce_type: 'invoice.paid' },
    rawHeaders: {},
  });
}

describe('decoding an event', () => {
  it('accepts an event that is not in the future by one of the two clocks', async () => {
    for (const clocks of [
      { database: -6 * MINUTE, machine: 0 },
      { database: 0, machine: -6 * MINUTE },
    ])
      expect(await readWithClocks(clocks)).to.include({ type: 'invoice.paid' });
  });

  it('refuses an event that is in the future by both clocks', async () => {
    expect(await readWithClocks({ database: -6 * MINUTE, machine: -6 * MINUTE })).to.have.property('problem');
  });
});
