import { expect } from 'chai';
import type { Schema } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import { schemaCheck } from '../../src/http/schema-check.js';

const document = readDocument();

/** The patterns of all parts of a schema. */
function patternsIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'pattern' in part && typeof part.pattern === 'string' ? [part.pattern] : [];
  return [...own, ...Object.values(part).flatMap(patternsIn)];
}

describe('messages of schema checks', () => {
  it('are sentences for each pattern of the document, not the pattern', () => {
    const patterns = patternsIn(document.components.schemas);
    expect(patterns).to.not.deep.equal([]);
    for (const pattern of patterns) {
      const [mistake] = schemaCheck(document, { type: 'string', pattern })('Ä');
      expect(mistake?.message, pattern).to.match(/^must be an? \w/);
      expect(mistake?.message).to.not.include(pattern).and.not.include('pattern');
    }
  });

  it('say how many items or characters are expected', () => {
    const messageOf = (schema: Schema, value: unknown) => schemaCheck(document, schema)(value)[0]?.message;
    const list = { type: 'array' };
    expect(messageOf({ ...list, minItems: 1 }, [])).to.equal('must not be empty');
    expect(messageOf({ ...list, minItems: 2 }, [1])).to.equal('must have at least 2 items');
    expect(messageOf({ ...list, maxItems: 1 }, [1, 2])).to.equal('must have at most 1 item');
    expect(messageOf({ type: 'string', minLength: 1 }, '')).to.equal('must not be empty');
  });
});
