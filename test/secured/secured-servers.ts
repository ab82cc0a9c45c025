import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { acceptsConnections } from '#dev/processes/accepts-connections';
import { chooseFreePorts } from '#dev/processes/free-ports';
import { poll } from '#dev/processes/poll';
import { runTool, startProcess } from '#dev/processes/start-process';
import { KAFKA_SETTINGS, toProperties } from '#dev/stack/kafka-settings';
import { fetchParts } from '#dev/stack/native/fetch-parts';
import { prepareKafka } from '#dev/stack/native/servers';
import { findJava } from '#dev/stack/native/tools';
import type { Certificates } from './certificates.js';

/** Of `app`, which may do everything, and of `stranger`, which may do nothing. */
export const PASSWORD = 'hunter2';

/** Servers that require certificates and logins; each broker address has another requirement. */
export interface SecuredServers {
  readonly plain: string;
  readonly tls: string;
  /** TLS with a certificate of the client. */
  readonly mutual: string;
  readonly sasl: string;
  readonly saslTls: string;
  /** Requires a certificate of its clients, too. */
  readonly mongodbUri: string;
  /** A MongoDB that is no replica set, without TLS. */
  readonly standaloneUri: string;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 8_000;
const READY_WITHIN_MS = 60_000;

/** @throws Unavailable when a tool for the native servers is missing */
export async function startSecured(home: string, certificates: Certificates): Promise<SecuredServers> {
  const env = process.env;
  const java = await findJava(env);
  const parts = await fetchParts({ env, java }, () => {});
  const [plain = 0, controller = 0, tls = 0, mutual = 0, sasl = 0, saslTls = 0, mongo = 0, alone = 0] =
    await chooseFreePorts(Array.from({ length: 8 }, () => undefined));
  const local = (port: number) => `127.0.0.1:${port}`;
  const log = (name: string) => join(home, `${name}.log`);
  const signal = new AbortController().signal;

  const directory = join(home, 'kafka');
  const settings = kafkaSettings({ plain, controller, tls, mutual, sasl, saslTls }, certificates);
  mkdirSync(directory);
  const properties = join(home, 'format.properties');
  const data = join(directory, 'data');
  writeFileSync(properties, toProperties({ ...KAFKA_SETTINGS, ...settings, 'log.dirs': data }));
  const scram = [256, 512].flatMap((bits) => [
    '--add-scram',
    `SCRAM-SHA-${bits}=[name=app,password=${PASSWORD}]`,
  ]);
  const tool = ['kafka.tools.StorageTool', 'format', '--cluster-id=secured', '-c', properties, ...scram];
  const args = ['-cp', join(parts.kafka, 'libs', '*'), ...tool];
  await runTool({ command: java.command, args, env, logFile: join(home, 'format.log') });
  const context = { part: parts.kafka, directory, java, host: '127.0.0.1' };
  const kafka = prepareKafka(context, { kafka: plain, kafkaController: controller }, { settings });
  const mongod = (port: number, ...more: string[]) => {
    const dbpath = join(home, `mongod-${port}`);
    mkdirSync(dbpath);
    const usual = ['--dbpath', dbpath, '--bind_ip', '127.0.0.1', '--port', String(port), '--nounixsocket'];
    const small = ['--wiredTigerCacheSizeGB', '0.25', '--quiet'];
    return {
      command: join(parts.mongod, 'mongod'),
      args: [...usual, ...small, ...more],
      logFile: log(`mongod-${port}`),
    };
  };
  const pem = certificates.both('server');
  const requireTls = [
    '--tlsMode',
    'requireTLS',
    '--tlsCertificateKeyFile',
    pem,
    '--tlsCAFile',
    certificates.ca,
  ];
  const running = await Promise.all([
    startProcess({ command: kafka.command, args: kafka.args, logFile: log('kafka') }),
    startProcess(mongod(mongo, '--replSet', 'rs0', ...requireTls)),
    startProcess(mongod(alone)),
  ]);
  const options = { everyMs: 50, timeoutMs: READY_WITHIN_MS, what: 'the secured servers listening' };
  await Promise.all([
    kafka.untilReady(signal),
    ...[tls, mutual, sasl, saslTls, mongo, alone].map((port) =>
      poll(() => acceptsConnections(local(port)), options),
    ),
  ]);
  await initiate(local(mongo), certificates);
  return {
    plain: local(plain),
    tls: local(tls),
    mutual: local(mutual),
    sasl: local(sasl),
    saslTls: local(saslTls),
    mongodbUri: `mongodb://${local(mongo)}/postrider?replicaSet=rs0`,
    standaloneUri: `mongodb://${local(alone)}/postrider`,
    async stop() {
      await Promise.all(running.map((one) => one.stop(STOP_GRACE_MS)));
    },
  };
}

type KafkaPorts = Readonly<Record<'plain' | 'controller' | 'tls' | 'mutual' | 'sasl' | 'saslTls', number>>;

function kafkaSettings(ports: KafkaPorts, { ca, both }: Certificates): Record<string, string> {
  const clients = Object.entries({
    PLAINTEXT: ports.plain,
    SSL: ports.tls,
    MUTUAL: ports.mutual,
    SASL_PLAINTEXT: ports.sasl,
    SASL_SSL: ports.saslTls,
  })
    .map(([listener, port]) => `${listener}://127.0.0.1:${port}`)
    .join(',');
  const plainLogin = `org.apache.kafka.common.security.plain.PlainLoginModule required user_app="${PASSWORD}" user_stranger="${PASSWORD}";`;
  const scramLogin = 'org.apache.kafka.common.security.scram.ScramLoginModule required;';
  const logins = ['sasl_plaintext', 'sasl_ssl'].flatMap((listener) => [
    [`listener.name.${listener}.plain.sasl.jaas.config`, plainLogin],
    [`listener.name.${listener}.scram-sha-256.sasl.jaas.config`, scramLogin],
    [`listener.name.${listener}.scram-sha-512.sasl.jaas.config`, scramLogin],
  ]);
  return {
    listeners: `${clients},CONTROLLER://127.0.0.1:${ports.controller}`,
    'advertised.listeners': clients,
    'controller.quorum.voters': `1@127.0.0.1:${ports.controller}`,
    'listener.security.protocol.map':
      'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,SSL:SSL,MUTUAL:SSL,SASL_PLAINTEXT:SASL_PLAINTEXT,SASL_SSL:SASL_SSL',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': both('server'),
    'ssl.truststore.type': 'PEM',
    'ssl.truststore.location': ca,
    'listener.name.mutual.ssl.client.auth': 'required',
    'sasl.enabled.mechanisms': 'PLAIN,SCRAM-SHA-256,SCRAM-SHA-512',
    ...Object.fromEntries(logins),
    'authorizer.class.name': 'org.apache.kafka.metadata.authorizer.StandardAuthorizer',
    'super.users': 'User:ANONYMOUS;User:O=client,CN=client;User:app',
  };
}

async function initiate(address: string, { ca, both }: Certificates): Promise<void> {
  const client = new MongoClient(`mongodb://${address}/?directConnection=true`, {
    tls: true,
    tlsCAFile: ca,
    tlsCertificateKeyFile: both('client'),
  });
  try {
    const config = { _id: 'rs0', members: [{ _id: 0, host: address }] };
    await client.db('admin').command({ replSetInitiate: config });
  } finally {
    await client.close();
  }
}
