import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { hashToken } from '@postrider/shared/domain/api-token';
import { connectMongo, type Database } from '@postrider/shared/mongo/connect';
import { migrateMongo } from '@postrider/shared/mongo/migrate';
import { expect } from 'chai';
import type { CreatedApiToken } from '../../src/contract/api-token.js';
import { runCommand } from './run-command.js';

const MAIN = fileURLToPath(new URL('../../src/admin/main.js', import.meta.url));
/** Linux refuses every write to it. */
const FULL_DISK = '/dev/full';

describe('admin commands', () => {
  let database: Database;
  let env: Record<string, string>;
  before(async () => {
    const uri = new URL(process.env.MONGODB_URI ?? 'mongodb://not-set-run-npm-test');
    uri.pathname = `/test_admin_${randomBytes(4).toString('hex')}`;
    env = { MONGODB_URI: uri.href, START_TIMEOUT: '1s' };
    database = await connectMongo(uri.href, 'test');
    await migrateMongo(database);
  });
  after(async () => {
    await database?.db.dropDatabase();
    await database?.close();
  });

  const run = (args: readonly string[], environment: NodeJS.ProcessEnv = env) =>
    runCommand(args, environment);
  const create = (slug: string, ...more: string[]) =>
    run([
      'workspace',
      'create',
      '--slug',
      slug,
      '--name',
      'Acme',
      '--owner-email',
      'ada@acme.example',
      ...more,
    ]);
  const token = (...args: string[]) =>
    run(['token', 'create', '--workspace', 'tokens', '--name', 'ci', ...args]);

  it('creates a workspace on the free plan with its owner', async () => {
    const { code, out } = await create('acme', '--json');
    expect(code).to.equal(0);
    const created = JSON.parse(out);
    expect(await database.collections.workspaces.findOne({ slug: 'acme' })).to.deep.include({
      _id: created.id,
      name: 'Acme',
      plan: 'free',
      guard: 0,
    });
    expect(await database.collections.members.findOne({ workspaceId: created.id })).to.deep.include({
      _id: created.ownerId,
      email: 'ada@acme.example',
      role: 'owner',
    });
    expect(await database.collections.outbox.countDocuments({ 'value.workspaceId': created.id })).to.equal(0);
    const audits = await database.collections.auditEvents.find({ workspaceId: created.id }).toArray();
    expect(audits.map(({ action, actor, target }) => [action, actor.type, target.id])).to.deep.equal([
      ['workspace.created', 'system', created.id],
    ]);
  });

  it('changes the limits of one workspace, each once with an audit entry', async () => {
    const { id } = JSON.parse((await create('limited', '--json')).out);
    const limits = (...more: string[]) => run(['workspace', 'limits', '--workspace', 'limited', ...more]);
    expect((await limits()).out).to.equal(
      'limited: endpoints as configured for all workspaces, tokens as configured for all workspaces',
    );
    expect((await limits('--endpoints', '5000')).code).to.equal(0);
    const { out } = await limits('--tokens', '7', '--json');
    expect(JSON.parse(out)).to.deep.equal({ endpoints: 5_000, tokens: 7 });
    expect(JSON.parse((await limits('--tokens', '7', '--json')).out)).to.deep.equal(JSON.parse(out));
    const audits = await database.collections.auditEvents
      .find({ workspaceId: id, action: 'workspace.limits_changed' })
      .sort({ _id: 1 })
      .toArray();
    expect(audits.map(({ metadata }) => metadata)).to.deep.equal([
      { endpoints: 5_000 },
      { endpoints: 5_000, tokens: 7 },
    ]);
    expect((await limits('--endpoints', '0')).code).to.equal(2);
    expect((await run(['workspace', 'limits', '--workspace', 'nowhere'])).err).to.include('no workspace');
  });

  it('lists workspaces by slug, in pages, with filters and as JSON lines', async () => {
    for (const slug of ['listed-b', 'listed-a', 'listed-c']) await create(slug);
    await database.collections.workspaces.updateOne({ slug: 'listed-b' }, { $set: { plan: 'team' } });
    const list = (...more: string[]) =>
      run(['workspace', 'list', '--slug-prefix', 'listed-', '--json', ...more]);
    const slugsOf = ({ out }: { out: string }) => out.split('\n').map((line) => JSON.parse(line).slug);

    expect(slugsOf(await list())).to.deep.equal(['listed-a', 'listed-b', 'listed-c']);
    const first = await list('--limit', '2');
    expect([slugsOf(first), first.err]).to.deep.equal([
      ['listed-a', 'listed-b'],
      'There are more: continue with --after listed-b',
    ]);
    const last = await list('--limit', '2', '--after', 'listed-b');
    expect([slugsOf(last), last.err]).to.deep.equal([['listed-c'], '']);
    expect(slugsOf(await list('--plan', 'team'))).to.deep.equal(['listed-b']);

    const stored = (await database.collections.workspaces.findOne({ slug: 'listed-b' }))!;
    expect(JSON.parse((await list('--plan', 'team')).out)).to.deep.equal({
      id: stored._id,
      slug: 'listed-b',
      name: stored.name,
      plan: 'team',
      createdAt: stored.createdAt.toISOString(),
    });
    const { code, out } = await run(['workspace', 'list', '--slug-prefix', 'listed-b']);
    expect([code, out]).to.deep.equal([0, `listed-b ${stored._id} team ${stored.name}`]);
    expect((await list('--plan', 'gold')).code).to.equal(2);
  });

  it("normalizes the owner's e-mail address", async () => {
    const args = ['--slug', 'spelt', '--name', 'Spelt', '--owner-email', ' Ada@ACME.example', '--json'];
    const created = JSON.parse((await run(['workspace', 'create', ...args])).out);
    const owner = await database.collections.members.findOne({ _id: created.ownerId });
    expect(owner!.email).to.equal('ada@acme.example');
  });

  it('refuses a slug that is taken', async () => {
    await create('twice');
    const { code, err } = await create('twice');
    expect([code, err]).to.satisfy(
      ([exit, text]: [number, string]) => exit === 2 && text.includes('"twice" is taken'),
    );
    expect(await database.collections.workspaces.countDocuments({ slug: 'twice' })).to.equal(1);
  });

  it('reports all invalid options at once', async () => {
    const { code, err } = await run([
      'workspace',
      'create',
      '--slug',
      'A b',
      '--name',
      ' ',
      '--owner-email',
      'ada',
    ]);
    expect(code).to.equal(2);
    expect(err).to.include('--slug').and.to.include('--name').and.to.include('--owner-email');
  });

  it('creates a token as the system, with audit entry and event, and prints only its secret to standard output', async () => {
    await create('tokens');
    const printed = await token('--scopes', 'read, webhook:replay');
    expect(printed.out).to.match(/^prt_[A-Za-z0-9_-]{43}$/);
    const { out } = await token('--scopes', 'admin', '--expires-in', '30d', '--json');
    const created = JSON.parse(out) as CreatedApiToken;
    const days = (Date.parse(created.expiresAt!) - Date.now()) / 86_400_000;
    expect(days).to.be.within(29.9, 30.1);
    expect(await database.collections.apiTokens.findOne({ _id: created.id })).to.deep.include({
      hash: hashToken(created.token),
      scopes: ['admin'],
    });
    const [entry] = await database.collections.auditEvents.find({ 'target.id': created.id }).toArray();
    expect(entry).to.deep.include({ action: 'api_token.created', actor: { type: 'system', id: null } });
    const record = await database.collections.outbox.findOne({ 'value.tokenId': created.id });
    expect(record!.claimedUntil!.getTime()).to.be.at.most(Date.now() + 1_000);
    expect(JSON.stringify([entry, record])).to.not.include(created.token.slice(8));
  });

  for (const [name, args, code, text] of [
    ['an unknown scope', ['--scopes', 'read,assistant:read'], 1, 'InvalidScope'],
    ['no scope', ['--scopes', ' , '], 2, '--scopes'],
    ['an invalid duration', ['--scopes', 'read', '--expires-in', 'soon'], 2, '"soon" is not a duration'],
    ['a missing option', [], 2, '--scopes'],
    ['no name', ['--scopes', 'read', '--name', ''], 2, '--name must have 1 to 100 characters'],
    ['too long a name', ['--scopes', 'read', '--name', 'x'.repeat(101)], 2, '--name'],
    ['no life', ['--scopes', 'read', '--expires-in', '0s'], 2, '--expires-in must be more than 0'],
    ['too long a life', ['--scopes', 'read', '--expires-in', '999999999d'], 2, '--expires-in'],
  ] as const) {
    it(`refuses a token with ${name}`, async () => {
      const result = await token(...args);
      expect(result.code).to.equal(code);
      expect(result.err).to.include(text);
    });
  }

  it('refuses limits that the database cannot compare with', async () => {
    const { code, err } = await run([
      'workspace',
      'limits',
      '--workspace',
      'x',
      '--endpoints',
      '100000000000000000000',
    ]);
    expect(code).to.equal(2);
    expect(err).to.include('must be a whole number from 1 to 1000000000');
  });

  it('refuses a token for an unknown workspace', async () => {
    const { code, err } = await run([
      'token',
      'create',
      '--workspace',
      'nowhere',
      '--name',
      'x',
      '--scopes',
      'read',
    ]);
    expect([code, err]).to.deep.equal([2, 'error: there is no workspace "nowhere"']);
  });

  it('reports all missing environment variables at once', async () => {
    const { code, err } = await run(['migrate'], {});
    expect(code).to.equal(1);
    expect(err)
      .to.include('MONGODB_URI')
      .and.to.include('KAFKA_BROKERS')
      .and.to.include('SCHEMA_REGISTRY_URL');
  });

  it('reports invalid topic settings, whether from variables or options', async () => {
    const { code, err } = await run(['migrate'], { TOPIC_PARTITIONS: '0', TOPIC_REPLICATION_FACTOR: 'all' });
    expect(code).to.equal(1);
    expect(err)
      .to.include('TOPIC_PARTITIONS: "0" is not a whole number of at least 1')
      .and.to.include('TOPIC_REPLICATION_FACTOR: "all" is neither -1 nor a whole number from 1');
    expect((await run(['migrate', '--partitions', '0'])).code).to.equal(2);
    expect((await run(['migrate', '--replication-factor', '0'])).err).to.include(
      'must be -1 or a whole number from 1',
    );
    const { out } = await run(['migrate', '--help']);
    expect(out.replaceAll(/\s+/g, ' ')).to.include('default: TOPIC_PARTITIONS, or 12');
  });

  it('fails with the reason when the database is unreachable', async () => {
    const away = {
      MONGODB_URI: 'mongodb://127.0.0.1:1/nowhere?serverSelectionTimeoutMS=200',
      START_TIMEOUT: '300ms',
    };
    const { code, err } = await run(
      ['token', 'create', '--workspace', 'x', '--name', 'x', '--scopes', 'read'],
      away,
    );
    expect(code).to.equal(1);
    expect(err).to.include('MongoDB').and.to.include('ECONNREFUSED');
  });

  // Regression: a stack trace.
  it('fails with one line when the database refuses what it writes', async () => {
    const rule = (validator: object) => database.db.command({ collMod: 'workspaces', validator });
    await rule({ name: { $ne: 'Acme' } });
    try {
      const { code, err } = await create('refused');
      expect(code).to.equal(1);
      expect(err).to.match(/^error: MongoDB: Document failed validation$/);
    } finally {
      await rule({});
    }
  });

  it('prints help with examples', async () => {
    for (const args of [['--help'], ['token', 'create', '--help'], ['migrate', '--help']]) {
      const { code, out } = await run(args);
      expect(code).to.equal(0);
      expect(out).to.include('Usage: admin');
    }
    expect((await run(['token', 'create', '--help'])).out).to.include('$ admin token create');
    expect((await run([])).code).to.equal(2);
    expect((await run(['conquer'])).code).to.equal(2);
  });

  /** Runs a command like `postrider admin … | head`: the pipe is closed before it writes. */
  const withoutReader = async (args: readonly string[]) => {
    const command = spawn(process.execPath, [MAIN, ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    command.stdout.destroy();
    const [stderr, [code]] = await Promise.all([text(command.stderr), once(command, 'exit')]);
    return { code, stderr };
  };

  // Regression: Node's report of an uncaught error, with its stack.
  it('fails with one line when the disk for its output is full', async function () {
    if (!existsSync(FULL_DISK)) this.skip();
    const full = await open(FULL_DISK, 'w');
    const command = spawn(process.execPath, [MAIN, 'verify', '--json'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', full.fd, 'pipe'],
    });
    const [stderr, [code]] = await Promise.all([text(command.stderr!), once(command, 'exit')]);
    await full.close();
    expect(stderr).to.match(/^error: standard output cannot be written: ENOSPC: .*\n$/);
    expect(code).to.equal(1);
  });

  for (const args of [['--help'], ['verify', '--json']]) {
    it(`ends ${args[0]} quietly when its output pipe is closed`, async () => {
      expect(await withoutReader(args)).to.deep.equal({ code: 141, stderr: '' });
    });
  }
});
