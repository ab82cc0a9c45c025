import { expect } from 'chai';
import { readConfig } from '../src/config.js';

const ENV = {
  MONGODB_URI: 'mongodb://mongo/postrider',
  KAFKA_BROKERS: 'kafka:9092',
  SCHEMA_REGISTRY_URL: 'http://registry:8081',
};

describe('configuration of the janitor', () => {
  const retention = (text: string, env = {}) => readConfig({ ...ENV, ...env, RETENTION: text }).RETENTION;

  // A typing error such as "30s" for "30d" would remove the whole history.
  it('rejects a retention of less than a day in production', () => {
    const production = { NODE_ENV: 'production' };
    expect(() => retention('30s', production)).to.throw('RETENTION: "30s" is shorter than 1d');
    expect(() => retention('36501d', production)).to.throw('is not within 1s and 36500d');
    expect(retention('1d', production)).to.equal(86_400_000);
  });

  it('accepts a retention of seconds outside production', () => {
    expect(retention('15000ms')).to.equal(15_000);
    expect(() => retention('0s')).to.throw('is not within 1s and 36500d');
  });
});
