import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Receiver } from '@postrider/shared/testing/receiver';
import { expect } from 'chai';
import { CommanderError } from 'commander';
import type { Supervised } from '../processes/supervise.js';
import type { ProviderName, Stack } from '../stack/stack.js';
import { encryptionKeys, serviceEnvironment } from './describe-services.js';
import { parseOptions } from './options.js';
import { type Processes, processIds, removeDevFile, stopProcesses, writeDevFile } from './processes.js';
import { textToShow } from './run-services.js';

const SERVERS = {
  kafkaBrokers: ['a:1', 'b:2'],
  mongodbUri: 'mongodb://m/postrider',
  schemaRegistryUrl: 'http://r',
};

describe('options of npm start', () => {
  const parse = (args: string[], env: NodeJS.ProcessEnv = {}) => parseOptions(args, env, () => {});

  it('have defaults', () => {
    expect(parse([])).to.deep.equal({ demo: true, retryStep: '30s', keep: false });
  });

  const expected = { demo: false, port: 8090, retryStep: '2s', provider: 'native', keep: true };

  it('are flags', () => {
    const args = ['--no-demo', '--port', '8090', '--retry-step', '2s', '--provider', 'native', '--keep'];
    expect(parse(args)).to.deep.equal(expected);
  });

  it('can be variables, which flags override', () => {
    const env = {
      POSTRIDER_DEMO: '0',
      POSTRIDER_PORT: '8090',
      POSTRIDER_RETRY_STEP: '2s',
      POSTRIDER_PROVIDER: 'native',
      POSTRIDER_KEEP: '1',
    };
    expect(parse([], env)).to.deep.equal(expected);
    expect(parse(['--port', '8091'], env).port).to.equal(8091);
    const off = parse([], { POSTRIDER_KEEP: 'false', POSTRIDER_DEMO: '1' });
    expect(off).to.include({ keep: false, demo: true });
  });

  const invalid = [
    '--port 0',
    '--port 65536',
    '--port 80x',
    '--retry-step 2',
    '--retry-step -1s',
    '--provider docker',
  ];
  for (const args of [...invalid, '--bogus', 'extra'])
    it(`reject ${args}`, () => expect(() => parse(args.split(' '))).to.throw(CommanderError));

  it('reject an invalid variable like an invalid flag', () => {
    expect(() => parse([], { POSTRIDER_PORT: 'x' })).to.throw(CommanderError);
  });
});

describe('log line of a service in the terminal', () => {
  const shown = (entry: object, hasBeenReady = true) => textToShow(JSON.stringify(entry), hasBeenReady);

  it('is shown from WARN on, with its reason', () => {
    expect(shown({ level: 40, msg: 'slow', reason: 'no answer' })).to.equal('WARN slow (no answer)');
    expect(shown({ level: 60, msg: 'gone', err: { message: 'gone' } })).to.equal('FATAL gone');
  });

  it('is hidden below WARN', () => {
    expect(shown({ level: 30, msg: 'delivered' })).to.equal(null);
    expect(textToShow('  ', true)).to.equal(null);
  });

  it('is shown when it is not JSON', () => {
    expect(textToShow('api: MONGODB_URI is missing', false)).to.equal('api: MONGODB_URI is missing');
    expect(textToShow('null', false)).to.equal('null');
  });

  it("is hidden when it is a warning of Kafka's client before the service is ready, but not later", () => {
    const warning = { level: 40, event: 'kafka.client', msg: 'Response GroupCoordinator' };
    expect(shown(warning, false)).to.equal(null);
    expect(shown(warning, true)).to.equal('WARN Response GroupCoordinator');
    expect(shown({ level: 40, event: 'waiting', msg: 'MongoDB' }, false)).to.equal('WARN MongoDB');
  });
});

describe('environment of a service', () => {
  const around = { stack: SERVERS, apiPort: 8080, retryStep: '2s', encryptionKeys: 'dev:key' };

  it('contains the addresses and the settings of the demo', () => {
    expect(serviceEnvironment(around, {})).to.include({
      KAFKA_BROKERS: 'a:1,b:2',
      MONGODB_URI: 'mongodb://m/postrider',
      PORT: '8080',
      HOST: '127.0.0.1',
      RETRY_STEP: '2s',
      EGRESS_ALLOW_CIDRS: '127.0.0.0/8',
      LOG_LEVEL: 'info',
    });
  });

  it('inherits variables that it does not set', () => {
    const env = serviceEnvironment(around, { LOG_LEVEL: 'debug', MAX_IN_FLIGHT: '8', PORT: '1' });
    expect(env).to.include({ LOG_LEVEL: 'debug', MAX_IN_FLIGHT: '8', PORT: '8080' });
  });
});

describe('started processes', () => {
  const member = (name: string, pid: number, ended: string[] = []): Supervised => ({
    name,
    pid,
    stop: async () => {
      ended.push(name);
      return { code: 0, signal: null };
    },
  });

  it('have process ids by name', () => {
    const processes: Processes = { services: [member('api', 1), member('dlq-consumer', 2)] };
    processes.stack = { pids: { kafka: 4 } } as Stack;
    const expected = { start: process.pid, api: 1, dlqConsumer: 2, kafka: 4 };
    expect(processIds(processes)).to.deep.equal(expected);
  });

  it('stop services before the receiver and the servers', async () => {
    const ended: string[] = [];
    const processes: Processes = { services: [member('api', 1, ended)] };
    processes.receiver = { close: async () => void ended.push('receiver') } as unknown as Receiver;
    processes.stack = { stop: async () => void ended.push('stack') } as unknown as Stack;
    await stopProcesses(processes);
    expect(ended).to.deep.equal(['api', 'receiver', 'stack']);
  });
});

describe('files for scripts and data', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'postrider-test-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));
  const facts = { ...SERVERS, apiUrl: 'http://a', metricsUrls: ['http://m'] };

  it('are updated with the process ids and readable by their owner only', () => {
    const file = join(directory, 'dev.json');
    const processes: Processes = { services: [] };
    writeDevFile(file, processes);
    expect(statSync(file, { throwIfNoEntry: false })).to.equal(undefined);
    processes.facts = facts;
    processes.stack = { pids: { kafka: 7 } } as Stack;
    writeDevFile(file, processes);
    expect(statSync(file).mode & 0o777).to.equal(0o600);
    const pids = { start: process.pid, kafka: 7 };
    expect(JSON.parse(readFileSync(file, 'utf8'))).to.deep.equal({ ...facts, pids });
    removeDevFile(file);
    removeDevFile(file);
    expect(statSync(file, { throwIfNoEntry: false })).to.equal(undefined);
  });

  it('of another start are not removed', () => {
    const file = join(directory, 'dev.json');
    const stack = { pids: { start: 1 } } as unknown as Stack;
    writeDevFile(file, { services: [], stack, facts });
    removeDevFile(file);
    expect(statSync(file).isFile()).to.equal(true);
  });

  describe('keep the encryption key', () => {
    const keysOf = (provider: ProviderName, keep: boolean, inherited: NodeJS.ProcessEnv = {}) =>
      encryptionKeys({ provider, keep, inherited }, paths());
    const paths = () => ({
      encryptionKeys: join(directory, 'data', 'encryption-keys'),
      externalEncryptionKeys: join(directory, 'external-encryption-keys'),
    });

    it('with the data', () => {
      const keys = keysOf('native', true);
      expect(Buffer.from(keys.replace(/^dev:/, ''), 'base64')).to.have.length(32);
      expect(keysOf('native', true)).to.equal(keys);
      expect(keysOf('native', false)).not.to.equal(keys);
    });

    it('of external servers, whose data stays after every run, apart from data that is kept here', () => {
      const keys = keysOf('external', false);
      expect(keysOf('external', false)).to.equal(keys);
      expect(keysOf('external', true)).to.equal(keys);
      expect(existsSync(join(directory, 'data'))).to.equal(false);
    });

    it('of external servers that the user has set', () => {
      const inherited = { ENCRYPTION_KEYS: 'own:key' };
      expect(keysOf('external', false, inherited)).to.equal('own:key');
      expect(existsSync(paths().externalEncryptionKeys)).to.equal(false);
      expect(keysOf('containers', false, inherited)).not.to.equal('own:key');
    });
  });
});
