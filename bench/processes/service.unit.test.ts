import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { NODE_ARGS } from './service.js';

describe('measured service', () => {
  it('runs with the memory settings of the image', () => {
    const dockerfile = readFileSync(new URL('../../../Dockerfile', import.meta.url), 'utf8');
    expect(dockerfile).to.include(`ENV NODE_OPTIONS="${NODE_ARGS.join(' ')}"`);
  });
});
