import { customEventType } from '@postrider/shared/catalogue/catalogue';
import { idOf } from '@postrider/shared/domain/id';
import { later, NOON, TRACE_ID } from '@postrider/shared/testing/builders';
import { anEventType } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import { namedType, type ReadEvent, readBuiltIn, readCustom } from '../../src/fan-out/read-event.js';
import { PAYLOAD } from './events.js';

const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

function read({
  headers = { ce_type: 'billing.plan_changed' } as Record<string, string>,
  value = PAYLOAD as unknown,
  type = PAID,
}) {
  const traceIdOf = (traceparent: string | undefined) => traceparent?.split('-')[1] ?? null;
  const named = namedType(headers);
  if ('problem' in named) return named;
  const parts = { headers, value, now: NOON, traceIdOf };
  if ('builtIn' in named) return readBuiltIn(named.builtIn, parts);
  const custom = readCustom(type, parts);
  return 'problem' in custom ? custom : custom.event;
}

const PAID = customEventType(anEventType());
const OPEN = customEventType(anEventType({ schema: { type: 'object', additionalProperties: true } }));

describe('reading an event', () => {
  it('returns type, payload, time and trace', () => {
    expect(read({ headers: { ce_type: 'billing.plan_changed', traceparent: TRACEPARENT } })).to.deep.equal({
      type: 'billing.plan_changed',
      payload: PAYLOAD,
      occurredAt: NOON,
      traceId: TRACE_ID,
    });
  });

  it('drops unknown fields', () => {
    const { payload } = read({ value: { ...PAYLOAD, seats: 12, actor: { id: 'mem_1' } } }) as ReadEvent;
    expect(payload).to.deep.equal(PAYLOAD);
  });

  it('shows its time in UTC with milliseconds', () => {
    const value = { ...PAYLOAD, occurredAt: '2026-03-01T14:00:00.1239+02:00' };
    const event = read({ value }) as ReadEvent;
    expect(event.payload).to.deep.equal({ ...PAYLOAD, occurredAt: '2026-03-01T12:00:00.123Z' });
    expect(event.occurredAt.toISOString()).to.equal('2026-03-01T12:00:00.123Z');
  });

  it('derives a stable trace id for an event without one', () => {
    const { traceId } = read({}) as ReadEvent;
    expect(traceId).to.match(/^[0-9a-f]{32}$/);
    expect(read({})).to.include({ traceId });
    expect(read({ value: { ...PAYLOAD, eventId: 'evt_other' } })).to.not.include({ traceId });
  });

  it('accepts an event that is five minutes ahead of the clock', () => {
    const occurredAt = later(300_000).toISOString();
    expect(read({ value: { ...PAYLOAD, occurredAt } })).to.deep.include({ occurredAt: later(300_000) });
  });

  const ahead = later(300_001).toISOString();
  const cases: readonly [string, Parameters<typeof read>[0], string][] = [
    ['without a type', { headers: {} }, 'the header ce_type is missing'],
    [
      'of a name that no type can have',
      { headers: { ce_type: 'Invoice' } },
      'ce_type "Invoice" is not an event type',
    ],
    [
      'of the type that only a test send has',
      { headers: { ce_type: 'webhook.test_event' } },
      'ce_type "webhook.test_event" is not an event type',
    ],
    ['whose value is not an object', { value: 'text' }, 'the value is not an object'],
    ['whose value is a list', { value: [PAYLOAD] }, 'the value is not an object'],
    [
      'with a wrong field',
      { value: { ...PAYLOAD, plan: 'gold' } },
      '/plan must be equal to one of the allowed values',
    ],
    [
      'whose time is no time',
      { value: { ...PAYLOAD, occurredAt: 'noon' } },
      '/occurredAt must match format "date-time"',
    ],
    [
      'whose time does not exist',
      { value: { ...PAYLOAD, occurredAt: '2026-06-30T23:59:60Z' } },
      'occurredAt is not a date and time like 2026-03-01T09:30:00.000Z',
    ],
    [
      // Regression: no delivery can have an identifier with such a time, so the event stayed open for ever.
      'from before 1970',
      { value: { ...PAYLOAD, occurredAt: '1969-12-31T23:59:59Z' } },
      'occurredAt is not a date and time like 2026-03-01T09:30:00.000Z',
    ],
    [
      'more than five minutes ahead',
      { value: { ...PAYLOAD, occurredAt: ahead } },
      `its time ${ahead} is in the future`,
    ],
  ];
  for (const [name, event, problem] of cases) {
    it(`rejects an event ${name} with the reason`, () => {
      expect(read(event)).to.deep.equal({ problem });
    });
  }

  it('rejects an event with a missing field and reports the field', () => {
    const { plan: _, ...value } = PAYLOAD;
    expect(read({ value })).to.have.property('problem').that.includes('plan');
  });

  describe('of a custom type', () => {
    const headers = { ce_type: 'invoice.paid' };
    const eventId = idOf('event', NOON, Buffer.alloc(10, 1));
    const value = {
      eventId,
      occurredAt: later(-86_400_000).toISOString(),
      workspaceId: 'ws_1',
      invoiceId: 'in_1',
      amount: 1,
    };

    it("takes the time of its identifier, and carries the publisher's time along", () => {
      const event = read({ headers, value }) as ReadEvent;
      expect(event.occurredAt).to.deep.equal(NOON);
      expect(event.payload).to.deep.equal(value);
    });

    // Regression: it was delivered as it was written, and a form without an offset meant another time in each time zone.
    it("shows the publisher's time in UTC with milliseconds", () => {
      const event = read({ headers, value: { ...value, occurredAt: '2026-02-28T14:00:00+02:00' } });
      expect((event as ReadEvent).payload).to.deep.equal({
        ...value,
        occurredAt: '2026-02-28T12:00:00.000Z',
      });
    });

    it('drops unknown fields at every level', () => {
      const { payload } = read({
        headers,
        value: { ...value, more: 1, customer: { id: 'cus_1', card: 'x' } },
      }) as ReadEvent;
      expect(payload).to.deep.equal({ ...value, customer: { id: 'cus_1' } });
    });

    for (const [what, wrong, problem] of [
      ['an identifier of another form', { eventId: 'evt_1' }, /^eventId is not evt_ and 26 characters/],
      ['a workspace of another form', { workspaceId: 'acme' }, /^workspaceId/],
      ['a time that is none', { occurredAt: 'noon' }, /^occurredAt is not a date and time like/],
      [
        'a time without an offset',
        { occurredAt: '2026-03-01T09:30:00' },
        /^occurredAt is not a date and time like/,
      ],
      ['a number as its time', { occurredAt: NOON.getTime() }, /^occurredAt is not a date and time like/],
      ['a wrong field', { amount: -1 }, /^amount must be >= 0/],
      [
        'a time in the future',
        { eventId: idOf('event', later(300_001), Buffer.alloc(10)) },
        /is in the future$/,
      ],
    ] as const) {
      it(`rejects ${what} with the reason`, () => {
        expect(read({ headers, value: { ...value, ...wrong } }))
          .to.have.property('problem')
          .that.matches(problem);
      });
    }

    // Regression: their rows were refused by the database, so that they stayed open for ever.
    for (const [what, extra, problem] of [
      ['a name of the database driver', '{"_bsontype":"ObjectId"}', 'extra._bsontype is a reserved name'],
      [
        'a name with NUL',
        '{"a\\u0000b":1}',
        'extra must not have names with NUL characters or lone surrogates',
      ],
      ['a number beyond the range', '{"sum":1e400}', 'extra.sum is beyond the range of numbers'],
      [
        'lists in lists in lists',
        `${'['.repeat(100)}${']'.repeat(100)}`,
        `extra${'[0]'.repeat(31)} is nested deeper than 32 levels`,
      ],
    ] as const) {
      it(`rejects ${what}, where the schema allows anything, with the reason`, () => {
        const sent = { ...value, extra: JSON.parse(extra) };
        expect(read({ headers, value: sent, type: OPEN })).to.deep.equal({ problem });
      });
    }
  });
});
