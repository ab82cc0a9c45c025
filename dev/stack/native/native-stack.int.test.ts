import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { MongoClient } from 'mongodb';
import { poll } from '../../processes/poll.js';
import { isAlive } from '../../processes/proc-files.js';
import { type Stack, Unavailable } from '../stack.js';
import { findCoordinator } from '../until-serves.js';
import { startNative } from './start-native.js';

const report = () => {};
const SCHEMA = JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' });

describe('native provider', function () {
  this.timeout(60_000);
  let home: string;
  let kept: Stack;
  let other: Stack;

  before(async function () {
    home = mkdtempSync(join(tmpdir(), 'postrider-test-'));
    const starts = [startNative({ report, dataDir: join(home, 'kept') }), startNative({ report })] as const;
    await Promise.all(starts).catch(async (error: Error) => {
      await Promise.allSettled(starts.map(async (start) => (await start).stop()));
      if (error instanceof Unavailable) this.skip();
      throw error;
    });
    [kept, other] = await Promise.all(starts);
  });

  after(async () => {
    await Promise.all([kept?.stop(), other?.stop()]);
    rmSync(home, { recursive: true });
  });

  it('starts independent stacks at the same time', async () => {
    await withClient(kept, (client) => client.db().collection('notes').insertOne({ text: 'kept' }));
    expect(await notesIn(other)).to.deep.equal([]);
    expect(await registerSchema(kept, 'first')).to.be.greaterThan(0);
    const subjects = await fetch(`${other.schemaRegistryUrl}/subjects`);
    expect(await subjects.json()).to.deep.equal([]);
    expect(kept.kafkaBrokers).not.to.deep.equal(other.kafkaBrokers);
  });

  it('supports transactions', async () => {
    await withClient(other, (client) =>
      client.withSession((session) =>
        session.withTransaction(async () => {
          await client.db().collection('notes').insertOne({ text: 'one' }, { session });
        }),
      ),
    );
    expect(await notesIn(other)).to.deep.equal(['one']);
  });

  it('restarts a killed server at the same address', async () => {
    const before = other.pids.mongod ?? 0;
    process.kill(before, 'SIGKILL');
    const options = { everyMs: 50, timeoutMs: 20_000, what: 'another mongod' };
    await poll(async () => (other.pids.mongod === before ? undefined : true), options);
    const read = () => poll(() => notesIn(other), { ...options, what: 'the notes' });
    expect(await read()).to.deep.equal(['one']);
  });

  it('keeps data and schema ids across restarts, also on other ports', async () => {
    const id = await registerSchema(kept, 'first');
    const { kafkaBrokers, mongodbUri } = kept;
    await kept.stop();
    const port = Number(new URL(mongodbUri).port);
    const occupant = createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
    await once(occupant, 'listening');
    try {
      kept = await startNative({ report, dataDir: join(home, 'kept') });
    } finally {
      occupant.close();
    }
    expect(kept.mongodbUri).not.to.equal(mongodbUri);
    expect(kept.kafkaBrokers).to.deep.equal(kafkaBrokers);
    expect(await notesIn(kept)).to.deep.equal(['kept']);
    expect(await registerSchema(kept, 'first')).to.equal(id);
    expect(await findCoordinator(kept.kafkaBrokers[0] ?? '')).to.equal(0);
  });

  it('ends the servers and removes their temporary data when the process that started them is killed', async () => {
    const program = `
      import { startNative } from ${JSON.stringify(new URL('./start-native.js', import.meta.url).href)};
      const stack = await startNative({ report: () => {} });
      console.log(JSON.stringify(Object.values(stack.pids)));
      setInterval(() => {}, 1000);
    `;
    const temporary = mkdtempSync(join(home, 'temporary-'));
    const parent = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, TMPDIR: temporary },
    });
    const [line] = await once(createInterface({ input: parent.stdout }), 'line');
    const pids = JSON.parse(line) as number[];
    expect(pids).to.have.length(3);
    expect(readdirSync(temporary).some((name) => name.startsWith('postrider-'))).to.equal(true);
    parent.kill('SIGKILL');
    const gone = async () => (pids.some(isAlive) || readdirSync(temporary).length > 0 ? undefined : true);
    await poll(gone, { everyMs: 50, timeoutMs: 10_000, what: `the end of ${pids.join(', ')}` });
  });
});

async function withClient<T>(stack: Stack, work: (client: MongoClient) => Promise<T>): Promise<T> {
  const client = new MongoClient(stack.mongodbUri, { serverSelectionTimeoutMS: 5_000 });
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}

const notesIn = (stack: Stack) =>
  withClient(stack, async (client) => {
    const notes = await client.db().collection<{ text: string }>('notes').find().toArray();
    return notes.map(({ text }) => text);
  });

/** The schema's id; unchanged for a schema that is already registered. */
async function registerSchema(stack: Stack, subject: string): Promise<number> {
  const answer = await fetch(`${stack.schemaRegistryUrl}/subjects/${subject}/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
    body: JSON.stringify({ schemaType: 'JSON', schema: SCHEMA }),
  });
  return ((await answer.json()) as { id: number }).id;
}
