import { expect } from 'chai';
import { afterUse, parseBehaviour, WELL_BEHAVED } from './behaviour.js';

describe('a behaviour', () => {
  const accepted = [
    { body: {}, value: WELL_BEHAVED },
    { body: { status: 500 }, value: { status: 500, delayMs: 0, times: null } },
    { body: { status: 599, delayMs: 60_000, times: 1 }, value: { status: 599, delayMs: 60_000, times: 1 } },
    { body: { times: null }, value: WELL_BEHAVED },
  ];
  for (const { body, value } of accepted) {
    it(`is read from ${JSON.stringify(body)}`, () => {
      expect(parseBehaviour(body)).to.deep.equal({ value });
    });
  }

  const rejected: { body: unknown; field: string }[] = [
    { body: undefined, field: '' },
    { body: [], field: '' },
    { body: { status: '500' }, field: 'status' },
    { body: { status: null }, field: 'status' },
    { body: { status: 199 }, field: 'status' },
    { body: { status: 600 }, field: 'status' },
    { body: { delayMs: -1 }, field: 'delayMs' },
    { body: { times: 0 }, field: 'times' },
    { body: { toString: 1 }, field: 'toString' },
  ];
  for (const { body, field } of rejected) {
    it(`is not read from ${JSON.stringify(body) ?? 'nothing'}`, () => {
      const parsed = parseBehaviour(body);
      expect('errors' in parsed && Object.keys(parsed.errors)).to.deep.equal([field]);
    });
  }

  it('counts down with each use', () => {
    const twice = { status: 500, delayMs: 5, times: 2 };
    expect(afterUse(twice)).to.deep.equal({ ...twice, times: 1 });
    expect(afterUse(afterUse(twice))).to.deep.equal(WELL_BEHAVED);
  });

  it('without `times` does not change', () => {
    const always = { status: 500, delayMs: 0, times: null };
    expect(afterUse(always)).to.equal(always);
  });
});
