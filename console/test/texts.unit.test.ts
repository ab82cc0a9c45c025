import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { texts } from '../src/texts/en.js';

const SOURCE = resolve(import.meta.dirname, '../../src');

const source = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('texts'))
  .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
  .join('\n');

const occurs = (pattern: string) => new RegExp(pattern).test(source);

/** A table such as `texts.problems` is read by a variable, or handed over whole. */
const isReadAsTable = (name: string) => occurs(`\\b${name}(\\[|\\)| as )`) || occurs(`in texts\\.${name}\\b`);

/** The paths of the texts that no component reads. */
function unusedTexts(value: object, parent = 'texts'): string[] {
  return Object.entries(value).flatMap(([name, text]) => {
    if (typeof text !== 'object') return occurs(`\\b${parent}\\.${name}\\b`) ? [] : [`${parent}.${name}`];
    if (isReadAsTable(name)) return [];
    return unusedTexts(text, name);
  });
}

describe('texts of the console', () => {
  it('has no text that no component reads', () => {
    expect(unusedTexts(texts)).to.deep.equal([]);
  });

  it('has a singular where a count is 1', () => {
    expect(texts.overview.more(1)).to.equal('1 more endpoint');
    expect(texts.held.missed(1)).to.equal('About 1 more event was not stored.');
    const { matching } = texts.options;
    expect(matching(1, 1)).to.equal('The only recent event of the subscribed types would be delivered.');
    expect(matching(0, 1)).to.equal('The only recent event of the subscribed types would not be delivered.');
  });
});
