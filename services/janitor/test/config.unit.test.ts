import { expect } from 'chai';
import { readConfig } from '../src/config.js';

const ENV = {
  MONGODB_URI: 'mongodb://mongo/postrider',
  KAFKA_BROKERS: 'kafka:9092',
  SCHEMA_REGISTRY_URL: 'http://registry:8081',
};

describe('the configuration of the janitor', () => {
  const before = process.env.NODE_ENV;
  afterEach(() => {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  });
  const retention = (text: string) => readConfig({ ...ENV, RETENTION: text }).RETENTION;

  // Nothing stood against "30s" in place of "30d", and the next cleanup would have removed the whole history.
  it('keeps nothing for less than a day in production', () => {
    process.env.NODE_ENV = 'production';
    expect(() => retention('30s')).to.throw('RETENTION: "30s" is not within 1d and 36500d');
    expect(() => retention('36501d')).to.throw('is not within 1d and 36500d');
    expect(retention('1d')).to.equal(86_400_000);
  });

  it('keeps it as short as tests need elsewhere', () => {
    delete process.env.NODE_ENV;
    expect(retention('15000ms')).to.equal(15_000);
    expect(() => retention('0s')).to.throw('is not within 1s and 36500d');
  });
});
