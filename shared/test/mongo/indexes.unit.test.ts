import { expect } from 'chai';
import { INDEXES } from '../../src/mongo/indexes.js';

describe('indexes', () => {
  for (const [collection, indexes] of Object.entries(INDEXES)) {
    it(`of ${collection} are declared once each: the database refuses a second one with the same keys`, () => {
      const keys = indexes.map(({ key, partialFilterExpression }) =>
        JSON.stringify([key, partialFilterExpression]),
      );
      expect(new Set(keys).size).to.equal(keys.length);
    });
  }
});
