import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { FUZZED_PARAMETERS } from './fuzzed-api.js';

const DOCUMENT = new URL('../../../services/api/openapi.json', import.meta.url);

describe('the api under fuzzing', () => {
  it('has a resource for each path parameter, so that no operation is only tried with unknown ids', () => {
    const { paths } = JSON.parse(readFileSync(DOCUMENT, 'utf8')) as { paths: Record<string, object> };
    const needed = Object.entries(paths).flatMap(([path, item]) => {
      // DELETE uses other resources, so that these stay.
      const isUsed = Object.keys(item).some((method) => method !== 'delete' && method !== 'parameters');
      return isUsed ? [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name) : [];
    });
    expect([...FUZZED_PARAMETERS]).to.have.members([...new Set(needed)]);
  });
});
