import { expect } from 'chai';
import { createCatalogue } from '../../src/catalogue/catalogue.js';
import { registeredSchema } from '../../src/catalogue/registered-schema.js';
import { watchCatalogue } from '../../src/platform/watch-catalogue.js';
import { eventually } from '../../src/testing/eventually.js';
import { anEventType } from '../../src/testing/fixed-catalogue.js';

const LOG = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

describe('the catalogue in a process', () => {
  it('keeps what was compiled for types that did not change', () => {
    const before = createCatalogue(1, [anEventType(), anEventType({ name: 'order.paid' })]);
    const after = createCatalogue(
      2,
      [anEventType(), anEventType({ name: 'order.paid', version: 2 })],
      before,
    );
    expect(after.types.get('invoice.paid')).to.equal(before.types.get('invoice.paid'));
    expect(after.types.get('order.paid')).to.not.equal(before.types.get('order.paid'));
  });

  it('is sorted by name', () => {
    const types = ['b.a', 'a.b', 'a.a'].map((name) => anEventType({ name }));
    expect([...createCatalogue(1, types).types.keys()]).to.deep.equal(['a.a', 'a.b', 'b.a']);
  });

  it('is read again only when its version has changed', async () => {
    let version = 1;
    let reads = 0;
    const store = {
      version: async () => version,
      read: async () => {
        reads += 1;
        return { version, types: [anEventType({ version })] };
      },
    };
    const watched = await watchCatalogue(store, LOG);
    await Promise.all([watched.refresh(), watched.refresh()]);
    expect(reads).to.equal(1);
    version = 2;
    const refreshed = await watched.refresh();
    expect(refreshed.types.get('invoice.paid')?.definition.version).to.equal(2);
    expect(watched.current()).to.equal(refreshed);
    watched.stop();
  });
});

describe('a refresh of the catalogue', () => {
  it('takes no read that began before it', async () => {
    let version = 1;
    const answers: ((version: number) => void)[] = [];
    const isSlow = { yet: false };
    const store = {
      async version() {
        const seen = version;
        return isSlow.yet ? new Promise<number>((resolve) => answers.push(() => resolve(seen))) : seen;
      },
      read: async () => ({ version, types: [anEventType({ version })] }),
    };
    const watched = await watchCatalogue(store, LOG);
    isSlow.yet = true;
    const first = watched.refresh();
    await eventually(() => expect(answers).to.have.length(1));
    version = 2;
    const second = watched.refresh();
    answers[0]?.(1);
    await first;
    await eventually(() => expect(answers).to.have.length(2));
    answers[1]?.(2);
    expect((await second).version).to.equal(2);
    watched.stop();
  });
});

describe('the registered schema of a custom type', () => {
  const schema = registeredSchema(
    anEventType({
      schema: {
        type: 'object',
        additionalProperties: false,
        required: ['a'],
        properties: {
          a: {
            type: 'object',
            additionalProperties: false,
            properties: { b: { not: { additionalProperties: false } } },
          },
        },
      },
    }),
  );

  it('has the type as its title, and the fields that every event has', () => {
    expect(schema).to.include({
      title: 'invoice.paid',
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    expect(schema.required).to.deep.equal(['eventId', 'occurredAt', 'workspaceId', 'a']);
    expect(schema.properties).to.have.all.keys('eventId', 'occurredAt', 'workspaceId', 'a');
  });

  it('allows unknown fields everywhere, but leaves conditions as they are', () => {
    expect(schema).to.not.have.property('additionalProperties');
    expect((schema.properties as Record<string, object>).a).to.deep.equal({
      type: 'object',
      properties: { b: { not: { additionalProperties: false } } },
    });
  });

  it('allows any of several closed alternatives instead of exactly one, beside other alternatives as well', () => {
    const closed = (name: string) => ({ properties: { [name]: {} }, additionalProperties: false });
    const opened = (name: string) => ({ properties: { [name]: {} } });
    const registered = registeredSchema(
      anEventType({
        schema: {
          type: 'object',
          properties: {
            a: { oneOf: [closed('b'), closed('c')] },
            d: { oneOf: [closed('b')], anyOf: [closed('c')], allOf: [{ maxProperties: 1 }] },
            e: { oneOf: [opened('b'), { not: closed('c') }] },
          },
        },
      }),
    );
    const { a, d, e } = registered.properties as Record<string, object>;
    expect(a).to.deep.equal({ anyOf: [opened('b'), opened('c')] });
    expect(d).to.deep.equal({
      anyOf: [opened('c')],
      allOf: [{ maxProperties: 1 }, { anyOf: [opened('b')] }],
    });
    expect(e).to.deep.equal({ oneOf: [opened('b'), { not: closed('c') }] });
  });
});
