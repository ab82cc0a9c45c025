import { createProjection } from '@postrider/shared/catalogue/project';
import { expect } from 'chai';
import { droppedFields } from '../../src/catalogue/dropped-fields.js';

const SCHEMA = {
  type: 'object',
  properties: {
    amount: { type: 'integer' },
    lines: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
    any: { type: 'object', additionalProperties: true },
  },
};
const dropped = (data: object) => droppedFields(data, createProjection(SCHEMA)(data), ['data']);

describe('droppedFields', () => {
  it('names each place at any depth', () => {
    const lines = [{ id: '1' }, { id: '2', color: 'red', tags: ['a'] }];
    expect(dropped({ amount: 1, lines, note: null, any: { thing: 1 } })).to.deep.equal([
      'data.lines[1].color',
      'data.lines[1].tags',
      'data.note',
    ]);
  });

  it('is empty where all fields are named', () => {
    expect(dropped({ amount: 1, lines: [{ id: '1' }], any: { thing: 1 } })).to.deep.equal([]);
  });

  it('finds fields with the names of inherited properties', () => {
    const data = JSON.parse('{"__proto__": 1, "constructor": 2}');
    expect(dropped(data)).to.deep.equal(['data.__proto__', 'data.constructor']);
  });

  it('names at most ten places, and cuts long ones', () => {
    const many = Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`${'x'.repeat(500)}${n}`, n]));
    const found = dropped(many);
    expect(found).to.have.length(10);
    expect(Math.max(...found.map(({ length }) => length))).to.be.at.most(101);
  });
});
