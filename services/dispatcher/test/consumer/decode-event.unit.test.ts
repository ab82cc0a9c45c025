import { customEventType } from '@postrider/shared/catalogue/catalogue';
import { idOf } from '@postrider/shared/domain/id';
import { later, NOON, WORKSPACE_ID } from '@postrider/shared/testing/builders';
import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { createDecodeEvent } from '../../src/consumer/decode-event.js';
import { createReadByCatalogue } from '../../src/fan-out/read-by-catalogue.js';

const MINUTE = 60_000;

interface Circumstances {
  /** How far the clocks are ahead of the event. */
  readonly database?: number;
  readonly machine?: number;
  readonly bytes?: number;
}

/** Reads an event of now, noon, which no row can have. */
function readEvent({ database = 0, machine = 0, bytes = 0 }: Circumstances) {
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
    fitsRow: () => false,
    clock: { now: () => later(database) },
    wallMs: () => NOON.getTime() + machine,
  });
  return read({
    topic: 'workspace.events',
    partition: 0,
    offset: 0,
    timestamp: 0,
    key: null,
    value: Buffer.alloc(bytes),
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
      expect(await readEvent(clocks)).to.include({ type: 'invoice.paid' });
  });

  it('refuses an event that is in the future by both clocks', async () => {
    expect(await readEvent({ database: -6 * MINUTE, machine: -6 * MINUTE })).to.have.property('problem');
  });

  // Regression: it was fanned out again every 30 s for ever, and the committed offset of its partition stayed before it.
  it('refuses an event of more than a mebibyte that no row can have', async () => {
    expect(await readEvent({ bytes: 1_024 * 1_024 })).to.include({ type: 'invoice.paid' });
    expect(await readEvent({ bytes: 1_024 * 1_024 + 1 })).to.deep.equal({
      problem: 'the payload is too large to be stored',
    });
  });
});
