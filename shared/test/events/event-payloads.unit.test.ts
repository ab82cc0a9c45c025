import { expect } from 'chai';
import { createCompiler, mistakesInSchema } from '../../src/catalogue/validator.js';
import { EVENT_TYPES, isEventType, TEST_EVENT_TYPE } from '../../src/domain/event-type.js';
import { DELIVERED_PAYLOADS, EVENT_PAYLOADS, TEST_EVENT_PAYLOAD } from '../../src/events/event-payloads.js';
import { ENDPOINT_ID, NOON, WORKSPACE_ID } from '../../src/testing/builders.js';

const COMMON = ['eventId', 'occurredAt', 'workspaceId'];
const OWN: Readonly<Record<string, readonly string[]>> = {
  'api_token.created': ['tokenId', 'name', 'scopes'],
  'api_token.revoked': ['tokenId', 'name'],
  'webhook_endpoint.created': ['endpointId', 'origin', 'eventTypes'],
  'workspace_member.added': ['memberId', 'email', 'role'],
  'workspace_member.removed': ['memberId', 'email'],
  'workspace_member.role_changed': ['memberId', 'previousRole', 'role'],
  'workspace_invitation.accepted': ['invitationId', 'memberId', 'email', 'role'],
  'billing.plan_changed': ['previousPlan', 'plan'],
  'webhook.test_event': ['endpointId', 'message'],
};

describe('event allowlist, section 6.1', () => {
  it('contains exactly the event types that endpoints can subscribe to', () => {
    expect([...EVENT_TYPES, TEST_EVENT_TYPE]).to.have.members(Object.keys(OWN));
    for (const type of EVENT_TYPES) expect(isEventType(type), type).to.equal(true);
  });

  for (const text of [TEST_EVENT_TYPE, 'webhook_endpoint.updated', 'Billing.plan_changed', '', 'toString']) {
    it(`does not contain "${text}"`, () => expect(isEventType(text)).to.equal(false));
  }
});

describe('event payloads', () => {
  for (const [type, schema] of Object.entries(DELIVERED_PAYLOADS)) {
    it(`${type} has the common fields, then its own, all required`, () => {
      expect(Object.keys(schema.properties)).to.deep.equal([...COMMON, ...(OWN[type] ?? [])]);
      expect(schema.required).to.have.members(Object.keys(schema.properties));
    });

    it(`${type} has no nested objects, so that unknown fields can only be at the top`, () => {
      const nested = (field: { type?: string; items?: { type?: string } }) =>
        field.type === 'object' || field.items?.type === 'object';
      expect(Object.values(schema.properties).filter(nested)).to.deep.equal([]);
    });

    it(`${type} forbids unknown fields and has a description of itself and of each field`, () => {
      expect(schema).to.have.property('additionalProperties', false);
      const described = [schema, ...Object.values(schema.properties)] as { description?: string }[];
      for (const { description } of described) expect(description).to.be.a('string').that.is.not.empty;
    });

    it(`${type} is a valid JSON Schema`, () => {
      expect(mistakesInSchema(JSON.parse(JSON.stringify(schema)), [])).to.deep.equal([]);
    });
  }

  it('have no field for a secret, an actor or a full URL', () => {
    const fields = Object.values(DELIVERED_PAYLOADS).flatMap((schema) => Object.keys(schema.properties));
    expect(fields.filter((field) => /secret|^token$|hash|actor|metadata|url/i.test(field))).to.deep.equal([]);
  });

  it('of the event topic do not include the test event', () => {
    expect(Object.keys(EVENT_PAYLOADS)).to.have.members([...EVENT_TYPES]);
  });

  it('include the test event, without unknown fields', () => {
    const payload = {
      eventId: 'evt_1',
      occurredAt: NOON.toISOString(),
      workspaceId: WORKSPACE_ID,
      endpointId: ENDPOINT_ID,
      message: 'This is a test.',
    };
    const isValid = createCompiler('first')(TEST_EVENT_PAYLOAD);
    expect(isValid(payload)).to.equal(true);
    expect(isValid({ ...payload, secret: 'whsec_' })).to.equal(false);
    expect(isValid({ ...payload, message: 7 })).to.equal(false);
  });
});
