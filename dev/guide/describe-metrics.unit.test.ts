import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { completeMetrics } from './describe-metrics.js';

describe('the guide to operating', () => {
  const guide = readFileSync(resolve(import.meta.dirname, '../../../docs/operating.md'), 'utf8');

  it('lists the metrics as they are declared; "npm run generate:guide" writes them anew', () => {
    expect(guide).to.equal(completeMetrics(guide));
  });

  it('has a place for them', () => {
    expect(() => completeMetrics('# Another guide')).to.throw('no place');
  });
});
