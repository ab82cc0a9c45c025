import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { createCatalogue } from '@postrider/shared/catalogue/catalogue';
import { createCustomCodec } from '@postrider/shared/kafka/custom-codec';
import { createRegistryClient } from '@postrider/shared/kafka/registry-client';
import { Undecodable } from '@postrider/shared/kafka/undecodable';
import { frame } from '@postrider/shared/kafka/wire-format';
import { type CatalogueChange, createCatalogueStore } from '@postrider/shared/mongo/catalogue-store';
import { type TestWorld, testWorld } from '@postrider/shared/testing/test-world';
import { expect } from 'chai';
import { stringify } from 'yaml';
import { applyDeployedCatalogue } from '../../src/admin/catalogue.js';
import { runCommand } from './run-command.js';

const MAIN = fileURLToPath(new URL('../../src/admin/main.js', import.meta.url));
const EXAMPLE = new URL('../../../../../docs/event-types.yaml', import.meta.url);

describe('admin catalogue', () => {
  let world: TestWorld;
  let directory: string;
  before(async () => {
    world = await testWorld();
    directory = await mkdtemp(join(tmpdir(), 'catalogue-'));
  });
  after(async () => {
    await rm(directory, { recursive: true });
    await world.destroy();
  });

  const fileWith = async (...eventTypes: object[]) => {
    const file = join(directory, 'types.yaml');
    await writeFile(file, stringify({ eventTypes }));
    return file;
  };
  const run = (...args: string[]) => runCommand(['catalogue', ...args], world.env);
  const stored = () => createCatalogueStore(world.database).read();
  const latest = async (type: string) => {
    const subject = `${world.env.TOPIC_PREFIX}workspace.events-${type}`;
    const answer = await fetch(`${world.env.SCHEMA_REGISTRY_URL}/subjects/${subject}/versions/latest`);
    const { schema, version } = (await answer.json()) as { schema: string; version: number };
    return { schema: JSON.parse(schema), version };
  };
  const paid = (properties: object, more: object = {}) => ({
    name: 'payment.made',
    description: 'A payment was made.',
    schema: { type: 'object', properties, ...more },
    examples: [{ amount: 1 }],
  });

  it('stores nothing of a file with mistakes, and prints each of them', async () => {
    const file = await fileWith(
      paid({ amount: { type: 'integer' } }),
      { ...paid({}), name: 'Bad' },
      { name: 'x' },
    );
    const refused = await run('apply', file);
    expect(refused.code).to.equal(1);
    expect(refused.err)
      .to.include('eventTypes[2].schema is required')
      .and.include('eventTypes[1].name must be 2 to 5 words')
      .and.include('nothing was stored');
    expect(await stored()).to.deep.equal({ version: 0, types: [] });
  });

  it('is read from standard input where it is named -', async () => {
    const command = spawn(process.execPath, [MAIN, 'catalogue', 'diff', '-'], {
      env: { ...process.env, ...world.env },
    });
    command.stdin.end(await readFile(EXAMPLE));
    const [out, [code]] = await Promise.all([text(command.stdout), once(command, 'exit')]);
    expect([code, out]).to.deep.equal([
      0,
      'added   invoice.paid\nadded   order.shipped\nadded   user.profile.updated\n',
    ]);
  });

  it('stores a catalogue, and its schemas in the registry', async () => {
    const { code, out } = await run('apply', EXAMPLE.pathname);
    expect(out).to.include('added   invoice.paid').and.include('within 10 seconds');
    expect(code).to.equal(0);
    expect((await stored()).types.map(({ name }) => name)).to.have.members([
      'invoice.paid',
      'order.shipped',
      'user.profile.updated',
    ]);
    const { schema } = await latest('invoice.paid');
    expect(schema.title).to.equal('invoice.paid');
    expect(schema.required).to.include.members(['eventId', 'invoiceId']);
  });

  it('changes nothing when a file is applied again', async () => {
    const { version } = await stored();
    expect((await run('apply', EXAMPLE.pathname)).out).to.equal('The catalogue is up to date.');
    expect((await stored()).version).to.equal(version);
  });

  it('exports what it stores', async () => {
    const file = join(directory, 'exported.yaml');
    await writeFile(file, (await run('export')).out);
    expect((await run('diff', file)).out).to.equal('Nothing would change.');
    expect(JSON.parse((await run('export', '--json')).out).eventTypes).to.have.length(3);
  });

  it('refuses a file that lacks a stored type, unless it is partial', async () => {
    const file = await fileWith(paid({ amount: { type: 'integer' } }));
    const refused = await run('apply', file);
    expect(refused.code).to.equal(1);
    expect(refused.err).to.include('eventTypes lacks invoice.paid');
    expect((await run('diff', file, '--partial')).out).to.equal('added   payment.made');
    expect((await stored()).types).to.have.length(3);
    expect((await run('apply', file, '--partial')).code).to.equal(0);
    expect((await stored()).types).to.have.length(4);
  });

  it('registers another version for an additive change, and refuses any other', async () => {
    const wider = await fileWith(paid({ amount: { type: 'number' }, note: { type: 'string' } }));
    expect((await run('apply', wider, '--partial')).out).to.include('changed payment.made: schema');
    expect((await latest('payment.made')).version).to.equal(2);
    const narrower = await fileWith(paid({ amount: { type: 'integer' } }));
    const refused = await run('apply', narrower, '--partial');
    expect(refused.code).to.equal(1);
    expect(refused.err)
      .to.include('eventTypes[0].schema.properties.note must stay')
      .and.include('eventTypes[0].schema.properties.amount.type must still allow number');
    expect((await latest('payment.made')).version).to.equal(2);
  });

  it('stores nothing while the registry is away', async () => {
    const file = await fileWith({ ...paid({}), name: 'never.stored' });
    const env = { ...world.env, SCHEMA_REGISTRY_URL: 'http://127.0.0.1:1' };
    const failed = await runCommand(['catalogue', 'apply', file, '--partial'], env);
    expect(failed.code).to.equal(1);
    expect(failed.err).to.include('nothing was stored');
    expect((await stored()).types.map(({ name }) => name)).to.not.include('never.stored');
  });

  it('says what to do when another command changes the catalogue meanwhile', async () => {
    const store = createCatalogueStore(world.database);
    /** Has every schema, and is asked between the command's first read and its change. */
    const registry = createServer(async (_, response) => {
      const { version: from, types } = await store.read();
      await store.save({ types: types.slice(0, 1), from, file: 'other', at: new Date() });
      response.end('{"id":1}');
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const { port } = registry.address() as AddressInfo;
    const env = { ...world.env, SCHEMA_REGISTRY_URL: `http://127.0.0.1:${port}` };
    const { code, err } = await runCommand(['catalogue', 'apply', EXAMPLE.pathname, '--partial'], env);
    registry.close();
    expect(code).to.equal(1);
    expect(err).to.equal('error: the catalogue was changed meanwhile: run the command again');
  });

  it('refuses a change that is based on an older version', async () => {
    const store = createCatalogueStore(world.database);
    const change: CatalogueChange = { types: [], from: 0, file: 'x', at: new Date() };
    expect(String(await store.save(change).catch((error: unknown) => error))).to.include(
      'run the command again',
    );
  });

  it('says what to do about a file that cannot be read', async () => {
    const { code, err } = await run('apply', join(directory, 'none.yaml'));
    expect(code).to.equal(2);
    expect(err).to.include('cannot be read');
  });

  it('applies the file of a deployment once: an earlier revision changes nothing back', async () => {
    const first = join(directory, 'first.yaml');
    const text = (await run('export')).out;
    await writeFile(first, text);
    const migrate = (file: string) => runCommand(['migrate'], { ...world.env, EVENT_CATALOGUE_FILE: file });
    expect((await migrate(first)).code).to.equal(0);
    const second = join(directory, 'second.yaml');
    await writeFile(second, text.replace('An invoice was paid in full.', 'An invoice was paid.'));
    expect((await migrate(second)).out).to.include('changed invoice.paid: description');
    const again = await migrate(first);
    expect(again.code).to.equal(0);
    expect(again.out).to.include('was applied before');
    expect(await readFile(first, 'utf8')).to.include('in full');
    const type = (await stored()).types.find(({ name }) => name === 'invoice.paid');
    expect(type?.description).to.equal('An invoice was paid.');
  });

  it('applies the file of a deployment once, when its pods start together', async () => {
    const { version } = await stored();
    const file = join(directory, 'together.yaml');
    await writeFile(file, (await run('export')).out.replace('An invoice was paid.', 'Paid together.'));
    const pods = await Promise.all(
      [1, 2, 3].map(async () => {
        const out: string[] = [];
        const terminal = { print: (line: string) => void out.push(line), printError: () => {} };
        await applyDeployedCatalogue(world.env, file, terminal);
        return out.join('\n');
      }),
    );
    expect(pods.filter((out) => out.includes('changed invoice.paid'))).to.have.length(1);
    expect(pods.filter((out) => out.includes('was applied before'))).to.have.length(2);
    expect((await stored()).version).to.equal(version + 1);
  });

  it('encodes events for readers of the registry, and decodes those of the right type alone', async () => {
    const { version, types } = await stored();
    const catalogue = createCatalogue(version, types);
    const registry = createRegistryClient(world.env.SCHEMA_REGISTRY_URL!, {});
    const codec = createCustomCodec(registry, world.env.TOPIC_PREFIX!, { checkAgain: async () => {} });
    const payload = { eventId: 'evt_1', amount: 'ä' };
    const bytes = await codec.encode(catalogue.types.get('payment.made')!, payload);
    expect(await codec.decode('payment.made', bytes)).to.deep.equal(payload);
    for (const wrong of [
      codec.decode('invoice.paid', bytes),
      codec.decode('payment.made', Buffer.from('abc')),
    ])
      expect(await wrong.catch((error: unknown) => error)).to.be.instanceOf(Undecodable);
  });

  // Regression: valid events went to the quarantine while a proxy answered 404 for the registry.
  it('does not report events as undecodable while the registry lacks our own schemas as well', async () => {
    const registry = createRegistryClient(world.env.SCHEMA_REGISTRY_URL!, {});
    const without = { ...registry, subjectsOf: async () => [] };
    const lost = new Error('the schema registry has no schema');
    const codec = createCustomCodec(without, world.env.TOPIC_PREFIX!, {
      checkAgain: () => Promise.reject(lost),
    });
    const bytes = frame(1, '{}');
    expect(await codec.decode('payment.made', bytes).catch((error: unknown) => error)).to.equal(lost);
  });
});
