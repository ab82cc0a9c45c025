import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { projectPayload } from '../../src/catalogue/project-payload.js';
import { EVENT_TYPES } from '../../src/domain/event-type.js';
import { NOTIFICATION_KINDS } from '../../src/domain/notification.js';
import { createSchemaCodec, type SchemaCodec } from '../../src/kafka/schema-registry.js';
import { Undecodable } from '../../src/kafka/undecodable.js';
import { RecordRefused } from '../../src/ports/queue.js';
import { ENDPOINT_ID, idFor, NOON, WORKSPACE_ID } from '../../src/testing/builders.js';
import { anEvent } from '../event-builders.js';

const HOST = process.env.SCHEMA_REGISTRY_URL ?? '';
const PLAN_CHANGED = 'workspace.events-billing.plan_changed';
const AVRO =
  '{"type":"record","name":"Point","fields":[{"name":"x","type":"long"},{"name":"y","type":"string"}]}';

const NOTIFICATION_DATA = {
  endpoint_failing: { consecutiveFailures: 10, failingSince: NOON.toISOString() },
  endpoint_disabled: { consecutiveFailures: 20 },
  endpoint_recovered: { disabledFor: 300, replayJobId: idFor('replayJob', 'one') },
  endpoint_stopped_receiving: { deliveryId: idFor('delivery', 'one'), failingSince: NOON.toISOString() },
  delivery_digest: {
    day: '2026-03-01',
    pending: 0,
    delivered: 7,
    failed: 1,
    failedPermanent: 2,
    deadLettered: 3,
    endpointsDisabled: 1,
  },
} as const;

interface Registered {
  readonly schema: string;
}

describe('schema codec', () => {
  const prefix = `t${randomBytes(4).toString('hex')}.`;
  let codec: SchemaCodec;
  const refusal = (attempt: Promise<unknown>) => attempt.catch((error: unknown) => error);
  const payload = anEvent('billing.plan_changed').payload;

  const ask = async (path: string, body?: object) => {
    const type = { 'content-type': 'application/vnd.schemaregistry.v1+json' };
    const init = body && { method: 'POST', headers: type, body: JSON.stringify(body) };
    const answer = await fetch(`${HOST}/subjects/${prefix}${path}`, init);
    return { status: answer.status, body: (await answer.json()) as Registered & { id: number } };
  };
  /** Registers another version of an event's schema. */
  async function addVersion(change: (schema: Record<string, unknown>) => object) {
    const latest = await ask(`${PLAN_CHANGED}/versions/latest`);
    const schema = JSON.stringify(change(JSON.parse(latest.body.schema)));
    return ask(`${PLAN_CHANGED}/versions`, { schemaType: 'JSON', schema });
  }
  const wire = (id: number, rest: string | Buffer) => {
    const header = Buffer.alloc(5);
    header.writeInt32BE(id, 1);
    return Buffer.concat([header, Buffer.from(rest)]);
  };

  before(async () => {
    codec = createSchemaCodec(HOST, prefix);
    await codec.register();
  });

  // Regression: a registry with a default of NONE kept it for the schema that was being registered, and refused it ever after.
  it('registers what an interrupted registration has left without a compatibility', async () => {
    const { schema } = (await ask(`${PLAN_CHANGED}/versions/1`)).body;
    await ask(`interrupted.${PLAN_CHANGED}/versions`, { schemaType: 'JSON', schema });
    const interrupted = `${prefix}interrupted.`;
    await createSchemaCodec(HOST, interrupted).register();
    const config = await fetch(`${HOST}/config/${interrupted}${PLAN_CHANGED}`);
    expect(await config.json()).to.deep.equal({ compatibilityLevel: 'BACKWARD' });
  });

  it('rejects a registry without schemas, with the missing schema and the remedy', async () => {
    const error = await refusal(createSchemaCodec(HOST, `${prefix}none.`).check());
    expect(error)
      .to.be.instanceOf(Error)
      .with.property('message')
      .that.matches(/has no schema t\w+\.none\.workspace\.[\w.-]+: run "admin migrate"$/);
  });

  it('registers schemas repeatedly', async () => {
    await createSchemaCodec(HOST, prefix).register();
    await codec.check();
  });

  for (const type of EVENT_TYPES) {
    it(`encodes and decodes ${type}`, async () => {
      const { payload } = anEvent(type);
      const bytes = await codec.encode(`workspace.events-${type}`, payload);
      expect(bytes[0]).to.equal(0);
      expect(JSON.parse(bytes.subarray(5).toString())).to.deep.equal(payload);
      expect(await createSchemaCodec(HOST, 'another.').decode(bytes)).to.deep.equal(payload);
    });
  }

  for (const kind of NOTIFICATION_KINDS) {
    it(`encodes and decodes notifications: ${kind}`, async () => {
      const notification = {
        id: idFor('notification', kind),
        workspaceId: WORKSPACE_ID,
        kind,
        message: 'A sentence for people.',
        endpointId: kind === 'delivery_digest' ? null : ENDPOINT_ID,
        data: NOTIFICATION_DATA[kind],
        createdAt: NOON.toISOString(),
      };
      const bytes = await codec.encode(`workspace.notifications-notification.${kind}`, notification);
      expect(await codec.decode(bytes)).to.deep.equal(notification);
    });
  }

  it('rejects values that do not match their schema', async () => {
    for (const wrong of [{ ...payload, plan: 'gold' }, { ...payload, secret: 'x' }, {}]) {
      expect(await refusal(codec.encode(PLAN_CHANGED, wrong))).to.be.instanceOf(RecordRefused);
    }
    expect(await refusal(codec.encode('workspace.events-unheard.of', payload))).to.be.instanceOf(
      RecordRefused,
    );
  });

  it('rejects a schema that would break consumers', async () => {
    const otherType = await addVersion((schema) => {
      const { properties } = schema as { properties: object };
      return { ...schema, properties: { ...properties, plan: { type: 'number' } } };
    });
    expect(otherType.status).to.equal(409);
  });

  it('accepts a newer version whose events decode without their unknown fields', async () => {
    const newer = await addVersion((schema) => {
      const { properties } = schema as { properties: object };
      return { ...schema, properties: { ...properties, seats: { type: 'integer' } } };
    });
    expect(newer.status).to.equal(200);
    const value = await codec.decode(wire(newer.body.id, JSON.stringify({ ...payload, seats: 5 })));
    expect(value).to.have.property('seats', 5);
    expect(projectPayload('billing.plan_changed', value)).to.deep.equal({ payload });
    await createSchemaCodec(HOST, prefix).register();
    await createSchemaCodec(HOST, prefix).check();
  });

  describe('decoding', () => {
    const undecodable = async (bytes: Buffer | null, reason: RegExp) => {
      const error = await refusal(codec.decode(bytes));
      expect(error).to.be.instanceOf(Undecodable).with.property('message').that.matches(reason);
    };
    const idOf = async (subject: string) => (await codec.encode(subject, payload)).readInt32BE(1);

    it('reports bytes in a foreign format as undecodable', async () => {
      const id = await idOf(PLAN_CHANGED);
      await undecodable(null, /shorter than its header/);
      await undecodable(Buffer.from([0, 0, 0, 1]), /shorter than its header/);
      await undecodable(Buffer.from('{"plan":"team"}'), /magic byte is 123 instead of 0/);
      await undecodable(wire(id, '{"plan":'), /JSON/);
      await undecodable(wire(id, ''), /JSON/);
      await undecodable(wire(id, '{"plan":"gold"}'), /invalid payload/);
    });

    it('reports an unknown schema id as undecodable', async () => {
      for (const id of [0, -1, 2_147_483_647]) await undecodable(wire(id, '{}'), /No content|not found/i);
    });

    it('reports bytes with a schema of another kind as undecodable', async () => {
      const { body } = await ask('points/versions', { schema: AVRO });
      await undecodable(wire(body.id, '{"plan":"team"}'), /./);
    });

    it('does not report bytes as undecodable while the registry is unreachable', async () => {
      const error = await refusal(createSchemaCodec('http://127.0.0.1:1', prefix).decode(wire(1, '{}')));
      expect(error).to.be.instanceOf(Error).and.not.to.be.instanceOf(Undecodable);
    });

    it('does not report bytes as undecodable if a proxy reports every schema as missing', async () => {
      const proxy = createServer((_, response) => {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"no route"}');
      });
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      const { port } = proxy.address() as AddressInfo;
      const misled = createSchemaCodec(`http://127.0.0.1:${port}`, prefix);
      const error = await refusal(misled.decode(wire(1, '{}')));
      proxy.close();
      expect(error).to.be.instanceOf(Error).and.not.to.be.instanceOf(Undecodable);
    });
  });
});
