import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DOCUMENT, requireMarks } from '../report/document.js';
import { SCENARIOS } from './scenarios.js';

describe('bench scenarios', () => {
  const names = SCENARIOS.map(({ name }) => name);

  it('have different names, and each has a place for its results in docs/benchmarks.md', () => {
    expect(new Set(names)).to.have.lengthOf(names.length);
    expect(() => requireMarks(readFileSync(DOCUMENT, 'utf8'), names)).to.not.throw();
  });
});
