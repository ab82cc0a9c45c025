import { expect } from 'chai';
import { unstorableParts } from '../../src/domain/unstorable.js';

const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });

describe('parts that cannot be stored', () => {
  for (const [what, text, paths] of [
    ['a name with NUL', '{"data":{"a\\u0000b":1}}', ['data']],
    ['a name with a lone surrogate', '{"\\ud800":1}', ['']],
    ['the name of the driver', '{"data":[{"_bsontype":"ObjectId"}]}', ['data[0]._bsontype']],
    ['a number beyond the range', '{"data":{"n":1e400,"m":[-1e999]}}', ['data.n', 'data.m[0]']],
    ['a reference of the driver', '{"data":{"a":1,"$ref":"shop.orders","$id":7}}', ['data']],
    ['a reference with a database', '[{"$ref":"a","$id":{},"$db":"b"}]', ['[0]']],
    ['several of them', '{"a":{"_bsontype":1},"b":1e400}', ['a._bsontype', 'b']],
  ] as const) {
    it(`are reported with their paths: ${what}`, () => {
      for (const texts of ['any', 'unchanged'] as const)
        expect(unstorableParts(JSON.parse(text), texts).map(({ path }) => path)).to.deep.equal(paths);
    });
  }

  it('are those nested too deep, without a search below them', () => {
    expect(unstorableParts(nested(32), 'any')).to.deep.equal([]);
    expect(unstorableParts(nested(33), 'any')).to.have.length(1);
    expect(unstorableParts(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), 'any')).to.have.length(1);
  });

  it('are one for each part, and at most 50', () => {
    const one = { a: { 'x\u0000': 1, 'y\u0000': 2 }, b: { $ref: 'r', $id: 1 } };
    expect(unstorableParts(one, 'any').map(({ path }) => path)).to.deep.equal(['a', 'b']);
    const many = { a: Array.from({ length: 100 }, () => [Number.NaN]), b: Number.NaN };
    const found = unstorableParts(many, 'any');
    expect(found.map(({ path }) => path)).to.deep.equal(Array.from({ length: 50 }, (_, n) => `a[${n}][0]`));
  });

  it('are texts only where they must be returned unchanged', () => {
    const texts = JSON.parse('{"a":"x\\u0000","b":["\\udc00"],"c":"\\ud83d\\ude00"}');
    expect(unstorableParts(texts, 'any')).to.deep.equal([]);
    expect(unstorableParts(texts, 'unchanged').map(({ path }) => path)).to.deep.equal(['a', 'b[0]']);
  });

  it('are no objects that only resemble a reference', () => {
    for (const text of [
      '{"$ref":"#/a","$id":null}',
      '{"$ref":1,"$id":2}',
      '{"$ref":"#/a"}',
      '{"$schema":"s","$id":"i","$ref":"#/a"}',
      '{"$ref":"a","$id":"i","$db":1}',
    ])
      expect(unstorableParts(JSON.parse(text), 'any'), text).to.deep.equal([]);
  });

  it('are no ordinary names and values', () => {
    const value = JSON.parse('{"$set":1,"a.b":2,"":3,"__proto__":{"x":null},"toBSON":true,"n":1e300}');
    expect(unstorableParts(value, 'unchanged')).to.deep.equal([]);
  });
});
