import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '../start/paths.js';
import { drawDiagram } from './diagram.js';

describe('diagrams of the site', () => {
  const text = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
  const sources = [...text.matchAll(/^```mermaid\n(.*?)^```$/gms)].map(([, source = '']) => source);

  it('draws those of ARCHITECTURE.md with every label', () => {
    expect(sources).to.have.lengthOf(2);
    const [components = '', failure = ''] = sources.map(drawDiagram);
    const nodes = Array.from(sources[0]?.matchAll(/\w\[[[(]?([^\])]+)/g) ?? [], ([, label = '']) => label);
    expect(nodes).to.include.members(['REST client', 'MongoDB', 'fan-out', 'workspace.events']);
    for (const label of [...nodes, 'retries exhausted']) expect(components).to.include(`>${label}<`);
    for (const label of ['SettlementStore', 'signed request', 'dead-letter'])
      expect(failure).to.include(label);
  });

  it('names no other host', () => {
    const addresses = sources
      .map(drawDiagram)
      .flatMap((drawing) => drawing.match(/\w+:\/\/[^\s&)'\\]+/g) ?? []);
    expect(new Set(addresses)).to.deep.equal(new Set(['http://www.w3.org/2000/svg']));
  });
});
