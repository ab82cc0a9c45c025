import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { KAFKA, MONGODB } from '../../src/platform/access-config.js';
import { ENCRYPTION } from '../../src/platform/platform-config.js';
import { ConfigurationError, readConfig } from '../../src/runtime/config.js';
import { LOGGING, START } from '../../src/runtime/process-config.js';
import {
  brokers,
  duration,
  encryptionKeys,
  fraction,
  httpUrl,
  list,
  mongoUri,
  optionalHttpUrl,
  otlpHeaders,
  parseDuration,
  port,
  replicationFactor,
  servers,
  topicPrefix,
  wholeNumber,
} from '../../src/runtime/variables.js';
import { TRACING } from '../../src/tracing/tracing-config.js';

const KEY = Buffer.alloc(32, 1).toString('base64');

/** The problems of a configuration. */
function problemsOf(read: () => unknown): readonly string[] {
  try {
    read();
  } catch (error) {
    if (error instanceof ConfigurationError) return error.problems;
    throw error;
  }
  return [];
}

describe('readConfig', () => {
  it('lists all missing variables with description and example', () => {
    const problems = problemsOf(() => readConfig({}, { ...MONGODB, ...KAFKA, ...ENCRYPTION }));
    const names = problems.map((problem) => problem.split(' ')[0]);
    expect(names).to.deep.equal(['MONGODB_URI', 'KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'ENCRYPTION_KEYS']);
    expect(problems[1]).to.equal(
      'KAFKA_BROKERS is missing: Kafka bootstrap brokers (for example kafka-0:9092,kafka-1:9092)',
    );
  });

  it('lists missing and invalid variables in one message, one per line', () => {
    const env = { LOG_LEVEL: 'loud', START_TIMEOUT: '10' };
    expect(() => readConfig(env, { ...LOGGING, ...START, ...MONGODB })).to.throw(
      ConfigurationError,
      /^the configuration is not usable:\n( {2}\w+.*\n){2} {2}\w+.*$/,
    );
  });

  it('uses the defaults of unset variables', () => {
    expect(readConfig({}, { ...LOGGING, ...START })).to.include({ LOG_LEVEL: 'info', START_TIMEOUT: 60_000 });
  });

  it('never repeats a secret in a message', () => {
    const env = { MONGODB_URI: 'mongodb://root:hunter2@mongo', ENCRYPTION_KEYS: 'hunter2hunter2:short' };
    const problems = problemsOf(() => readConfig(env, { ...MONGODB, ...ENCRYPTION }));
    expect(problems).to.have.length(2);
    expect(problems.join()).not.to.include('@').and.not.to.include('short');
    const keyWithoutId = { ENCRYPTION_KEYS: 'hunter2hunter2hunter2' };
    expect(problemsOf(() => readConfig(keyWithoutId, ENCRYPTION)).join()).not.to.include('hunter2');
  });

  // Regression: the text of a key was repeated as the path of a file that cannot be read.
  it('never repeats a key that is given in place of its file, or the password of a URL in the wrong variable', () => {
    const key = '-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\n';
    const env = {
      KAFKA_BROKERS: 'https://ada:hunter2@kafka:9092',
      SCHEMA_REGISTRY_URL: 'http://registry',
      KAFKA_TLS: 'true',
      KAFKA_TLS_CERT_FILE: key,
      KAFKA_TLS_KEY_FILE: key,
    };
    const problems = problemsOf(() => readConfig(env, KAFKA));
    expect(problems).to.have.members([
      'KAFKA_BROKERS: "https://ada:[redacted]@kafka:9092" is not a broker: write it like kafka-0:9092 (for example kafka-0:9092,kafka-1:9092)',
      'KAFKA_TLS_CERT_FILE: is PEM text: give the path of a file that contains it',
      'KAFKA_TLS_KEY_FILE: is PEM text: give the path of a file that contains it',
    ]);
  });

  it('throws for an undeclared name instead of returning undefined', () => {
    const config = readConfig({ LOG_LEVEL: 'debug' }, LOGGING) as unknown as Record<string, string>;
    expect(() => config.LOG_LEVLE).to.throw(/LOG_LEVLE/);
  });
});

describe('rules across variables', () => {
  const home = mkdtempSync(join(tmpdir(), 'postrider-config-'));
  const pem = join(home, 'ca.crt');
  before(() => writeFileSync(pem, '-----BEGIN CERTIFICATE-----\n'));
  after(() => rmSync(home, { recursive: true }));
  const problems = (changes: Readonly<Record<string, string>>) => {
    const env = { KAFKA_BROKERS: 'kafka:9092', SCHEMA_REGISTRY_URL: 'http://registry:8081', ...changes };
    return problemsOf(() => readConfig(env, { ...KAFKA, ...TRACING }));
  };

  // Regression: the file was ignored and the connection was not encrypted.
  it('reject a CA file of the brokers without TLS', () => {
    expect(problems({ KAFKA_TLS: 'false', KAFKA_TLS_CA_FILE: pem })).to.deep.equal([
      'KAFKA_TLS: is false, but KAFKA_TLS_CA_FILE is set: turn it on or remove the file',
    ]);
    expect(problems({ KAFKA_TLS: 'true', KAFKA_TLS_CA_FILE: pem })).to.deep.equal([]);
    expect(problems({ KAFKA_TLS: 'false' })).to.deep.equal([]);
  });

  it('reject a CA file of the registry with an http:// URL', () => {
    expect(problems({ SCHEMA_REGISTRY_CA_FILE: pem })).to.deep.equal([
      'SCHEMA_REGISTRY_CA_FILE: is set, but SCHEMA_REGISTRY_URL is an http:// URL, which does not use a certificate',
    ]);
    const secured = { SCHEMA_REGISTRY_CA_FILE: pem, SCHEMA_REGISTRY_URL: 'https://registry' };
    expect(problems(secured)).to.deep.equal([]);
  });

  it('reject a CA file of the collector without an https:// URL', () => {
    const file = { OTEL_EXPORTER_OTLP_CERTIFICATE: pem };
    const problem =
      'OTEL_EXPORTER_OTLP_CERTIFICATE: is set, but OTEL_EXPORTER_OTLP_ENDPOINT is not an https:// URL';
    expect(problems(file)).to.deep.equal([problem]);
    const endpoint = (url: string) => ({ ...file, OTEL_EXPORTER_OTLP_ENDPOINT: url });
    expect(problems(endpoint(''))).to.deep.equal([problem]);
    expect(problems(endpoint('http://collector:4318'))).to.deep.equal([problem]);
    expect(problems(endpoint('https://collector:4318'))).to.deep.equal([]);
    expect(problems(endpoint('HTTPS://collector:4318'))).to.deep.equal([]);
    expect(problems(endpoint('nonsense')), 'one problem').to.have.length(1);
  });

  it('are reported together with missing and invalid variables', () => {
    const env = { KAFKA_TLS: 'false', KAFKA_TLS_CA_FILE: pem, TOPIC_PREFIX: 'a/b' };
    const names = problemsOf(() => readConfig(env, KAFKA)).map((line) => line.split(/[ :]/)[0]);
    expect(names).to.have.members(['KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'TOPIC_PREFIX', 'KAFKA_TLS']);
  });
});

describe('kinds of variables', () => {
  const DECLARATION = {
    DURATION: duration({ least: '250ms', most: '30d' })({ default: 0 }),
    COUNT: wholeNumber(1)({ default: 1 }),
    PORT: port({ default: 0 }),
    LIST: list({ default: [] }),
    BROKERS: brokers({ default: [] }),
    SERVERS: servers({ default: [] }),
    KEYS: encryptionKeys({ default: [] }),
    MONGO: mongoUri({ default: '' }),
    HTTP: httpUrl({ default: '' }),
    PREFIX: topicPrefix({ default: '' }),
    COPIES: replicationFactor({ default: -1 }),
    PART: fraction({ default: 0 }),
    MAYBE: optionalHttpUrl({ default: '' }),
    HEADERS: otlpHeaders({ default: {} }),
  };
  type Name = keyof typeof DECLARATION;
  const key = (id: string) => ({ id, key: Buffer.alloc(32, 1) });

  const TAKEN: readonly (readonly [Name, string, unknown])[] = [
    ['DURATION', '250ms', 250],
    ['PART', '0', 0],
    ['PART', '0.25', 0.25],
    ['PART', '1', 1],
    ['MAYBE', '', ''],
    ['MAYBE', 'http://collector:4318', 'http://collector:4318'],
    ['MAYBE', 'HTTPS://collector', 'HTTPS://collector'],
    ['HEADERS', '', {}],
    ['HEADERS', 'x-key=a%20b, other=c=d', { 'x-key': 'a b', other: 'c=d' }],
    ['DURATION', '30s', 30_000],
    ['DURATION', '5m', 300_000],
    ['DURATION', '24h', 86_400_000],
    ['DURATION', '30d', 2_592_000_000],
    ['COUNT', '1', 1],
    ['COUNT', '1024', 1024],
    ['PORT', '0', 0],
    ['PORT', '65535', 65_535],
    ['LIST', '', []],
    ['LIST', ' a, b,,c ', ['a', 'b', 'c']],
    ['BROKERS', 'kafka-0:9092, kafka-1:9092', ['kafka-0:9092', 'kafka-1:9092']],
    ['BROKERS', '[::1]:9092', ['[::1]:9092']],
    ['KEYS', `new:${KEY},old-1:${KEY}`, [key('new'), key('old-1')]],
    ['MONGO', 'mongodb://a,b:27017/postrider?replicaSet=rs0', 'mongodb://a,b:27017/postrider?replicaSet=rs0'],
    ['MONGO', 'mongodb+srv://u:p@mongo.example/postrider', 'mongodb+srv://u:p@mongo.example/postrider'],
    [
      'MONGO',
      'mongodb://a/postrider?w=majority&journal=true',
      'mongodb://a/postrider?w=majority&journal=true',
    ],
    ['HTTP', 'http://registry:8081/apis/ccompat/v7', 'http://registry:8081/apis/ccompat/v7'],
    ['HTTP', 'https://registry', 'https://registry'],
    ['PREFIX', '', ''],
    ['PREFIX', 'eu-1.post_rider.', 'eu-1.post_rider.'],
    ['COPIES', '-1', -1],
    ['COPIES', '3', 3],
  ];
  for (const [name, text, value] of TAKEN) {
    it(`parse ${name} "${text}"`, () => {
      expect(readConfig({ [name]: text }, DECLARATION)[name]).to.deep.equal(value);
    });
  }

  const REFUSED: readonly (readonly [Name, string, RegExp])[] = [
    ['DURATION', '', /not a duration/],
    ['PART', '1.1', /not a number from 0 to 1/],
    ['PART', '-0.1', /not a number from 0 to 1/],
    ['PART', '10%', /not a number from 0 to 1/],
    ['MAYBE', 'collector:4318', /not an http:/],
    ['MAYBE', 'http://a b', /not an http:/],
    ['HEADERS', 'x-key=a,hunter2', /^[^2]*: header 2 is not of the form name=value$/],
    ['DURATION', '10', /"10" is not a duration: write it like 250ms, 30s, 5m or 24h/],
    ['DURATION', '249ms', /"249ms" is not within 250ms and 30d/],
    ['DURATION', '31d', /"31d" is not within 250ms and 30d/],
    ['DURATION', '1.5s', /not a duration/],
    ['DURATION', '-1s', /not a duration/],
    ['DURATION', '5 minutes', /not a duration/],
    ['COUNT', '0', /not a whole number of at least 1/],
    ['COUNT', '1e3', /not a whole number/],
    ['COUNT', 'many', /not a whole number/],
    ['PORT', '65536', /"65536" is not a port from 0 to 65535/],
    ['PORT', '-1', /not a port/],
    ['BROKERS', '', /names no broker/],
    ['BROKERS', 'kafka-0:9092,kafka-1', /"kafka-1" is not a broker: write it like kafka-0:9092/],
    ['BROKERS', 'https://kafka:9092', /not a broker/],
    [
      'SERVERS',
      'dns.example:port',
      /"dns.example:port" is not a server: write it like one\.one\.one\.one:443/,
    ],
    ['SERVERS', '1.1.1.1:443,1.1.1.1:99999', /"1.1.1.1:99999" is not a server/],
    ['SERVERS', '2606:4700:4700::1111:443', /is not a server: .* or \[2606:4700:4700::1111\]:443/],
    ['SERVERS', 'https://one.one.one.one', /is not a server/],
    ['KEYS', '', /names no key/],
    ['KEYS', `k 1:${KEY}`, /have the form id:base64/],
    ['KEYS', KEY, /have the form id:base64/],
    ['KEYS', 'k1:c2hvcnQ=', /key "k1" has 5 bytes instead of 32/],
    ['KEYS', `k1:${KEY},k1:${KEY}`, /names a key id twice/],
    ['MONGO', '', /not a mongodb:\/\/ connection string/],
    ['MONGO', 'http://mongo/postrider', /not a mongodb:\/\/ connection string/],
    ['MONGO', 'mongodb://mongo?replicaSet=rs0', /names no database/],
    ['MONGO', 'mongodb://mongo/?replicaSet=rs0', /names no database/],
    ['MONGO', 'mongodb://mongo/postrider?journal=false&w=1', /has journal=false: leave it out/],
    ['MONGO', 'mongodb+srv://mongo/postrider?w=1&J=false', /has J=false: leave it out/],
    ['MONGO', 'mongodb://me:p@mongo/postrider?wtimeoutMS=500', /has wtimeoutMS: leave it out/],
    ['MONGO', 'mongodb://me:p@mongo/postrider?wtimeout=500', /has wtimeout: leave it out/],
    ['HTTP', '', /not an http:\/\/ or https:\/\/ URL/],
    ['PREFIX', 'post/rider', /"post\/rider" is not a topic prefix/],
    ['PREFIX', 'p'.repeat(201), /at most 200/],
    ['COPIES', '0', /"0" is neither -1 nor a whole number from 1/],
    ['HTTP', 'registry:8081', /not an http:\/\/ or https:\/\/ URL/],
  ];
  for (const [name, text, problem] of REFUSED) {
    it(`reject ${name} "${text}" by name`, () => {
      const [first, ...more] = problemsOf(() => readConfig({ [name]: text }, DECLARATION));
      expect(first)
        .to.match(new RegExp(`^${name}: `))
        .and.to.match(problem);
      expect(more).to.deep.equal([]);
    });
  }

  it('include parseDuration for other callers', () => {
    expect(parseDuration('90s')).to.equal(90_000);
    expect(() => parseDuration('soon')).to.throw('"soon" is not a duration');
  });
});
