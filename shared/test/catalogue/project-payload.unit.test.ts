import { expect } from 'chai';
import { projectPayload } from '../../src/catalogue/project-payload.js';
import { EVENT_TYPES } from '../../src/domain/event-type.js';
import { EVENT_PAYLOADS } from '../../src/events/event-payloads.js';
import { anEvent } from '../event-builders.js';

const payloadOf = (type: (typeof EVENT_TYPES)[number]): Record<string, unknown> => ({
  ...anEvent(type).payload,
});
/** Fields that a careless producer might add. None of them may reach a receiver. */
const FORBIDDEN = {
  token: 'prt_s3cret',
  secret: 'whsec_s3cret',
  hash: 's3cret',
  acceptToken: 's3cret',
  url: 'https://hooks.example.com/s3cret',
  actor: { type: 'api_token', id: 's3cret' },
  metadata: { ip: 's3cret' },
  constructor: 's3cret',
};

describe('projectPayload', () => {
  for (const type of EVENT_TYPES) {
    describe(type, () => {
      it('returns a valid event unchanged', () => {
        expect(projectPayload(type, payloadOf(type))).to.deep.equal({ payload: payloadOf(type) });
      });

      it('drops unknown fields, including secrets and actors', () => {
        const projected = projectPayload(type, { ...payloadOf(type), ...FORBIDDEN });
        expect(projected).to.deep.equal({ payload: payloadOf(type) });
        expect(JSON.stringify(projected)).not.to.include('s3cret');
      });

      for (const field of Object.keys(EVENT_PAYLOADS[type].properties)) {
        it(`reports that ${field} is missing`, () => {
          const { [field]: _, ...rest } = payloadOf(type);
          expect(projectPayload(type, rest)).to.have.property('problem').that.includes(field);
        });

        it(`reports that ${field} has the wrong type`, () => {
          for (const wrong of [null, 7, true, {}]) {
            const { problem } = projectPayload(type, { ...payloadOf(type), [field]: wrong }) as {
              problem: string;
            };
            expect(problem).to.match(new RegExp(`^/${field} must be `));
          }
        });
      }
    });
  }

  it('reports the index of an invalid list element', () => {
    const payload = { ...payloadOf('api_token.created'), scopes: ['read', 'root'] };
    expect(projectPayload('api_token.created', payload))
      .to.have.property('problem')
      .that.includes('/scopes/1');
  });

  const MALFORMED = [
    ['an id of another kind', { eventId: 'aud_1' }, '/eventId'],
    ['an id in upper case', { workspaceId: 'ws_ACME' }, '/workspaceId'],
    ['an id with a line break', { eventId: 'evt_1\n' }, '/eventId'],
    ['a date without a time', { occurredAt: '2026-03-02' }, '/occurredAt'],
    ['a time without a zone', { occurredAt: '2026-03-02T12:00:00' }, '/occurredAt'],
    ['a date that does not exist', { occurredAt: '2026-02-30T12:00:00Z' }, '/occurredAt'],
    ['an unknown plan', { plan: 'Team' }, '/plan'],
  ] as const;
  for (const [name, override, path] of MALFORMED) {
    it(`rejects ${name}`, () => {
      const projected = projectPayload('billing.plan_changed', {
        ...payloadOf('billing.plan_changed'),
        ...override,
      });
      expect(projected).to.have.property('problem').that.includes(path);
    });
  }

  for (const value of [null, undefined, 7, 'text', true, [], [payloadOf('billing.plan_changed')]]) {
    it(`rejects a value that is not an object: ${JSON.stringify(value)?.slice(0, 20)}`, () => {
      expect(projectPayload('billing.plan_changed', value)).to.deep.equal({
        problem: 'the value is not an object',
      });
    });
  }

  it('reads no fields from a __proto__ field', () => {
    const { plan: _, ...rest } = payloadOf('billing.plan_changed');
    const disguised: unknown = JSON.parse(`{"__proto__":{"plan":"team"},${JSON.stringify(rest).slice(1)}`);
    expect(projectPayload('billing.plan_changed', disguised))
      .to.have.property('problem')
      .that.includes('plan');
  });

  it('does not modify its input', () => {
    const given = Object.freeze({
      ...payloadOf('billing.plan_changed'),
      extra: Object.freeze({ kept: true }),
    });
    projectPayload('billing.plan_changed', given);
    expect(given).to.deep.equal({ ...payloadOf('billing.plan_changed'), extra: { kept: true } });
  });
});
