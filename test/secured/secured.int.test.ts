import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type RequestListener, request } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@postrider/shared/platform/migrate';
import { connectPlatform } from '@postrider/shared/platform/platform';
import { PLATFORM } from '@postrider/shared/platform/platform-config';
import { readConfig } from '@postrider/shared/runtime/config';
import { expect } from 'chai';
import { type Certificates, makeCertificates } from './certificates.js';
import { PASSWORD, type SecuredServers, startSecured } from './secured-servers.js';

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const SHAPE = { partitions: 1, replicationFactor: 1 };

describe('servers that require certificates and logins', function () {
  this.timeout(120_000);
  let home: string;
  let certificates: Certificates;
  let servers: SecuredServers;
  let registry: Server;
  /** The environment of a service that reaches all three over TLS, with a login where there is one. */
  let env: Record<string, string>;
  before(async () => {
    home = mkdtempSync(join(tmpdir(), 'postrider-secured-'));
    certificates = await makeCertificates(home);
    [servers, registry] = await Promise.all([startSecured(home, certificates), secureRegistry(certificates)]);
    env = {
      KAFKA_BROKERS: servers.saslTls,
      KAFKA_TLS: 'true',
      KAFKA_TLS_CA_FILE: certificates.ca,
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: 'app',
      KAFKA_SASL_PASSWORD: PASSWORD,
      MONGODB_URI: servers.mongodbUri,
      MONGODB_TLS_CA_FILE: certificates.ca,
      MONGODB_TLS_CERT_FILE: certificates.both('client'),
      SCHEMA_REGISTRY_URL: `https://127.0.0.1:${(registry.address() as AddressInfo).port}/apis/ccompat/v7`,
      SCHEMA_REGISTRY_USERNAME: 'app',
      SCHEMA_REGISTRY_PASSWORD: PASSWORD,
      SCHEMA_REGISTRY_CA_FILE: certificates.ca,
      TOPIC_PREFIX: `secured${process.pid}.`,
      START_TIMEOUT: '20s',
    };
    await migrate({ ...configOf(env), ...SHAPE }, SILENT);
  });
  after(async () => {
    registry?.close();
    await servers?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  const connect = async (environment: Readonly<Record<string, string>>) => {
    const platform = await connectPlatform(configOf(environment), 'test', SILENT);
    await platform.close();
    return platform.partitions;
  };
  /** The environment with other values, and without those that are undefined. */
  const but = (changes: Readonly<Record<string, string | undefined>>) =>
    Object.fromEntries(
      Object.entries({ ...env, START_TIMEOUT: '0s', ...changes }).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
  const refusal = (changes: Readonly<Record<string, string | undefined>>) =>
    connect(but(changes)).then(String, ({ message }: Error) => message);
  const NO_LOGIN = {
    KAFKA_SASL_MECHANISM: undefined,
    KAFKA_SASL_USERNAME: undefined,
    KAFKA_SASL_PASSWORD: undefined,
  };
  const shown = (who: 'client' | 'stranger') => ({
    KAFKA_TLS_CERT_FILE: certificates[who].cert,
    KAFKA_TLS_KEY_FILE: certificates[who].key,
  });
  const NO_TLS = { KAFKA_TLS: undefined, KAFKA_TLS_CA_FILE: undefined };

  for (const mechanism of ['plain', 'scram-sha-256', 'scram-sha-512']) {
    it(`accept a login by ${mechanism}, over TLS and without`, async () => {
      expect(await connect(but({ KAFKA_SASL_MECHANISM: mechanism }))).to.equal(1);
      expect(
        await connect(but({ ...NO_TLS, KAFKA_SASL_MECHANISM: mechanism, KAFKA_BROKERS: servers.sasl })),
      ).to.equal(1);
    });
  }

  it('accept a client over TLS without a login', async () => {
    expect(await connect(but({ ...NO_LOGIN, KAFKA_BROKERS: servers.tls }))).to.equal(1);
  });

  it('accept a client certificate where the broker requires one', async () => {
    expect(await connect(but({ ...NO_LOGIN, ...shown('client'), KAFKA_BROKERS: servers.mutual }))).to.equal(
      1,
    );
  });

  const REFUSED: readonly (readonly [string, () => Record<string, string | undefined>, RegExp])[] = [
    [
      'a wrong password',
      () => ({ KAFKA_SASL_PASSWORD: 'guess' }),
      /rejects the login of "app" by scram-sha-512: check KAFKA_SASL_USERNAME/,
    ],
    [
      'a user who may do nothing',
      () => ({ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'stranger' }),
      /run "admin migrate", or allow "stranger" to describe the topics$/,
    ],
    [
      'a broker of an unknown authority',
      () => ({ KAFKA_TLS_CA_FILE: undefined }),
      /certificate of the broker at .* is not trusted: check KAFKA_TLS_CA_FILE/,
    ],
    [
      'TLS to a broker without TLS',
      () => ({ ...NO_LOGIN, KAFKA_BROKERS: servers.plain }),
      /does not speak TLS: check its port and KAFKA_TLS/,
    ],
    [
      'no TLS to a broker with TLS',
      () => ({ ...NO_LOGIN, ...NO_TLS, KAFKA_BROKERS: servers.tls }),
      /closes the connection: check its port, KAFKA_TLS/,
    ],
    [
      'a missing client certificate',
      () => ({ ...NO_LOGIN, KAFKA_BROKERS: servers.mutual }),
      /requires a client certificate: set KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE/,
    ],
    [
      'a certificate that the broker does not trust',
      () => ({ ...NO_LOGIN, ...shown('stranger'), KAFKA_BROKERS: servers.mutual }),
      /does not trust the certificate of this client: check KAFKA_TLS_CERT_FILE/,
    ],
    [
      'a missing login',
      () => ({ ...NO_LOGIN, KAFKA_BROKERS: servers.saslTls }),
      /closes the connection: check its port, KAFKA_TLS and KAFKA_SASL_MECHANISM/,
    ],
    [
      'a database without its client certificate',
      () => ({ MONGODB_TLS_CERT_FILE: undefined }),
      /^MongoDB: gave up/,
    ],
    [
      'a database that is no replica set',
      () => ({
        MONGODB_URI: servers.standaloneUri,
        MONGODB_TLS_CA_FILE: undefined,
        MONGODB_TLS_CERT_FILE: undefined,
      }),
      /runs without a replica set.*--replSet/,
    ],
    [
      'a registry with a wrong password',
      () => ({ SCHEMA_REGISTRY_PASSWORD: 'guess' }),
      /has no schema .*: it rejects the login: check SCHEMA_REGISTRY_USERNAME/,
    ],
    [
      'a registry of an unknown authority',
      () => ({ SCHEMA_REGISTRY_CA_FILE: undefined }),
      /^schema registry: gave up.*its certificate is not trusted: check SCHEMA_REGISTRY_CA_FILE/,
    ],
  ];
  const migration = (changes: Readonly<Record<string, string | undefined>>) =>
    migrate({ ...configOf(but(changes)), ...SHAPE }, SILENT).then(String, ({ message }: Error) => message);
  it('report a user who may not create topics', async () => {
    const stranger = { KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: 'stranger', TOPIC_PREFIX: 'new.' };
    expect(await migration(stranger)).to.match(/does not authorize "stranger": grant it Create, Describe/);
  });

  // The first migration reaches the registry before any service; it once failed with "Error, status 401" alone.
  it('report to the first migration why the registry rejects it', async () => {
    const wrongLogin = await migration({ SCHEMA_REGISTRY_PASSWORD: 'guess' });
    expect(wrongLogin).to.match(
      /^schema registry: .*does not register the schema .*: it rejects the login: check SCHEMA_REGISTRY_USERNAME/,
    );
    expect(await migration({ SCHEMA_REGISTRY_CA_FILE: undefined })).to.match(
      /^schema registry: .*its certificate is not trusted: check SCHEMA_REGISTRY_CA_FILE/,
    );
  });

  for (const [what, changes, error] of REFUSED) {
    it(`report ${what}`, async () => {
      const message = await refusal(changes());
      expect(message).to.match(error);
      expect(message).not.to.include(PASSWORD);
    });
  }
});

const configOf = (env: Readonly<Record<string, string>>) => readConfig(env, PLATFORM);

/** The registry of the stack behind TLS and a login. */
async function secureRegistry({ server }: Certificates): Promise<Server> {
  const inner = new URL(process.env.SCHEMA_REGISTRY_URL ?? '');
  const expected = `Basic ${Buffer.from(`app:${PASSWORD}`).toString('base64')}`;
  const pass: RequestListener = (incoming, outgoing) => {
    if (incoming.headers.authorization !== expected) return outgoing.writeHead(401).end('{}');
    const { method, url, headers } = incoming;
    const asked = request(
      { host: inner.hostname, port: inner.port, method, path: url, headers },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      },
    );
    return incoming.pipe(asked);
  };
  const proxy = createServer({ cert: readFileSync(server.cert), key: readFileSync(server.key) }, pass);
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return proxy;
}
