import { readFileSync } from 'node:fs';
import { topicPrefix } from '@postrider/shared/runtime/variables';
import { expect } from 'chai';

const SCHEMA = new URL('../../../deploy/helm/postrider/values.schema.json', import.meta.url);

describe('the topic prefix', () => {
  // Regression: the chart refused prefixes of more than 100 characters, with which topics may exist.
  it('is as long in the chart as the services accept', () => {
    const { pattern } = JSON.parse(readFileSync(SCHEMA, 'utf8')).properties.topics.properties.prefix;
    const { _parse } = topicPrefix({});
    for (const length of [0, 200, 201]) {
      const prefix = 'p'.repeat(length);
      const accepts = () => {
        try {
          return _parse(prefix) === prefix;
        } catch {
          return false;
        }
      };
      expect(new RegExp(pattern).test(prefix), String(length)).to.equal(accepts());
    }
  });
});
