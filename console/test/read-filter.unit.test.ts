import { expect } from 'chai';
import { readFilter } from '../src/ui/read-filter.js';

describe('the filters of an address', () => {
  it('have only the given names, and text that is not empty', () => {
    const search = { status: ' failed ', eventType: '  ', httpStatus: 500, page: 'x' };
    expect(readFilter(['status', 'eventType', 'httpStatus', 'traceId'], search)).to.deep.equal({
      status: 'failed',
      httpStatus: '500',
    });
  });
});
