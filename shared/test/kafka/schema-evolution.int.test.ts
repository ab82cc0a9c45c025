import { randomBytes } from 'node:crypto';
import { Ajv } from 'ajv';
import { expect } from 'chai';
import { createSchemaCodec } from '../../src/kafka/schema-registry.js';
import { anEvent } from '../event-builders.js';

const HOST = process.env.SCHEMA_REGISTRY_URL ?? '';
const SUBJECT = 'workspace.events-billing.plan_changed';

interface Schema {
  readonly required: readonly string[];
  readonly properties: Readonly<Record<string, object>>;
}

/** Shows with a real registry what docs/events.md states under "Versions of a schema". */
describe('schema registry in compatibility mode BACKWARD', () => {
  const prefix = `t${randomBytes(4).toString('hex')}.`;
  const { payload } = anEvent('billing.plan_changed');
  const codec = createSchemaCodec(HOST, prefix);
  let older: Schema;

  const call = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
    const response = await fetch(
      `${HOST}/${path}`,
      body && { method: 'POST', headers, body: JSON.stringify(body) },
    );
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const register = (schema: object) =>
    call(`subjects/${prefix}${SUBJECT}/versions`, { schemaType: 'JSON', schema: JSON.stringify(schema) });
  const withField = (name: string, field: object): Schema => ({
    ...older,
    properties: { ...older.properties, [name]: field },
  });
  const newerMessage = async () => {
    const { body } = await register(withField('seats', { type: 'integer' }));
    const header = Buffer.alloc(5);
    header.writeInt32BE(Number(body.id), 1);
    return Buffer.concat([header, Buffer.from(JSON.stringify({ ...payload, seats: 5 }))]);
  };

  before(async () => {
    await codec.register();
    const { body } = await call(`subjects/${prefix}${SUBJECT}/versions/latest`);
    older = JSON.parse(String(body.schema));
  });

  it('applies that mode to the schema of an event', async () => {
    const { body } = await call(`config/${prefix}${SUBJECT}`);
    expect(body.compatibilityLevel ?? body.compatibility).to.equal('BACKWARD');
  });

  describe('for a newer version', () => {
    const without = (name: string): Schema => {
      const { [name]: _, ...properties } = older.properties;
      return { ...older, required: older.required.filter((field) => field !== name), properties };
    };
    const refused: Readonly<Record<string, () => object>> = {
      'a new required field': () => ({
        ...withField('seats', { type: 'integer' }),
        required: [...older.required, 'seats'],
      }),
      'the removal of a field': () => without('plan'),
      'another type of a field': () => withField('plan', { type: 'number' }),
      'the removal of a value of an enumeration': () => withField('plan', { type: 'string', enum: ['free'] }),
    };
    for (const [change, schema] of Object.entries(refused)) {
      it(`rejects ${change}`, async () => {
        expect(await register(schema())).to.have.property('status', 409);
      });
    }
  });

  describe('for a new optional field', () => {
    it('lets an older consumer decode a newer message with the schema id in the message', async () => {
      const value = await createSchemaCodec(HOST, prefix).decode(await newerMessage());
      expect(value).to.deep.equal({ ...payload, seats: 5 });
    });

    it('breaks an older consumer that validates the whole message with its own schema', async () => {
      const validate = new Ajv({ strict: false, validateFormats: false }).compile(older);
      expect(validate(await codec.decode(await newerMessage()))).to.equal(false);
      expect(validate.errors?.[0]).to.have.property('keyword', 'additionalProperties');
    });

    it('lets an older consumer validate the message after it has removed unknown fields', async () => {
      const options = { strict: false, validateFormats: false, removeAdditional: true } as const;
      const value = await codec.decode(await newerMessage());
      expect(new Ajv(options).compile(older)(value)).to.equal(true);
      expect(value).to.deep.equal(payload);
    });
  });

  describe('for a change that breaks older consumers', () => {
    const newer = () => withField('seats', { type: 'integer' });

    it('accepts a new value of an enumeration', async () => {
      const plan = { type: 'string', enum: ['free', 'team', 'business', 'gold'] };
      older = { ...newer(), properties: { ...newer().properties, plan } };
      expect(await register(older)).to.have.property('status', 200);
    });

    it('accepts that a required field becomes optional', async () => {
      const required = older.required.filter((field) => field !== 'plan');
      expect(await register({ ...older, required })).to.have.property('status', 200);
    });
  });
});
