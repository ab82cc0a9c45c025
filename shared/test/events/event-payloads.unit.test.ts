import { expect } from 'chai';
import { Compile } from 'typebox/compile';
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
  it('is what endpoints can subscribe to, and no more', () => {
    expect([...EVENT_TYPES, TEST_EVENT_TYPE]).to.have.members(Object.keys(OWN));
    for (const type of EVENT_TYPES) expect(isEventType(type), type).to.equal(true);
  });

  for (const text of [TEST_EVENT_TYPE, 'webhook_endpoint.updated', 'Billing.plan_changed', '', 'toString']) {
    it(`does not hold "${text}"`, () => expect(isEventType(text)).to.equal(false));
  }
});

describe('event payloads', () => {
  for (const [type, schema] of Object.entries(DELIVERED_PAYLOADS)) {
    it(`${type} has its own fields after the common ones, every one of them required`, () => {
      expect(Object.keys(schema.properties)).to.deep.equal([...COMMON, ...(OWN[type] ?? [])]);
      expect(schema.required).to.have.members(Object.keys(schema.properties));
    });

    it(`${type} is flat, so that dropping unknown fields is a matter of its own fields`, () => {
      const nested = (field: { type?: string; items?: { type?: string } }) =>
        field.type === 'object' || field.items?.type === 'object';
      expect(Object.values(schema.properties).filter(nested)).to.deep.equal([]);
    });

    it(`${type} is closed, and says in words what it and each of its fields is`, () => {
      expect(schema).to.have.property('additionalProperties', false);
      const described = [schema, ...Object.values(schema.properties)] as { description?: string }[];
      for (const { description } of described) expect(description).to.be.a('string').that.is.not.empty;
    });

    it(`${type} is plain JSON Schema once written down`, () => {
      expect(JSON.stringify(schema)).not.to.match(/"[~$]/);
      expect(Compile(JSON.parse(JSON.stringify(schema))).Check({})).to.equal(false);
    });
  }

  it('has no field for a secret, an actor or a whole URL in any shape', () => {
    const fields = Object.values(DELIVERED_PAYLOADS).flatMap((schema) => Object.keys(schema.properties));
    expect(fields.filter((field) => /secret|^token$|hash|actor|metadata|url/i.test(field))).to.deep.equal([]);
  });

  it('keeps the test event off the event topic', () => {
    expect(Object.keys(EVENT_PAYLOADS)).to.have.members([...EVENT_TYPES]);
  });

  it('declares the test event', () => {
    const payload = {
      eventId: 'evt_1',
      occurredAt: NOON.toISOString(),
      workspaceId: WORKSPACE_ID,
      endpointId: ENDPOINT_ID,
      message: 'This is a test.',
    };
    const schema = Compile(TEST_EVENT_PAYLOAD);
    expect(schema.Check(payload)).to.equal(true);
    expect(schema.Check({ ...payload, secret: 'whsec_' })).to.equal(false);
    expect(schema.Check({ ...payload, message: 7 })).to.equal(false);
  });
});
