import { expect } from 'chai';
import { accountFor, callsOf, NO_ANSWER } from './account.js';

describe('accountFor', () => {
  const posts = new Map([
    ['/a evt_1', 1],
    ['/a evt_2', 3],
    ['/a other', 5],
  ]);

  it('counts accepted deliveries that never arrived', () =>
    expect(accountFor(['/a evt_1', '/b evt_1'], posts)).to.deep.equal({ accepted: 2, lost: 1, repeated: 0 }));

  it('counts POSTs beyond the first of a delivery, of accepted ones alone', () =>
    expect(accountFor(['/a evt_1', '/a evt_2'], posts)).to.deep.equal({ accepted: 2, lost: 0, repeated: 2 }));
});

describe('callsOf', () => {
  it('counts calls without an answer in time apart from those that were reset', () =>
    expect(callsOf(['ECONNRESET', NO_ANSWER, 'ECONNREFUSED'])).to.deep.equal({ reset: 2, late: 1 }));
});
