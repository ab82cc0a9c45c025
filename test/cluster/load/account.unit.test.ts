import { expect } from 'chai';
import { accountFor, callsOf, NO_ANSWER } from './account.js';

describe('accountFor', () => {
  const posts = new Map([
    ['evt_1', 1],
    ['evt_2', 3],
    ['evt_other', 5],
  ]);

  it('counts accepted events that never arrived', () =>
    expect(accountFor(['evt_1', 'evt_3'], posts)).to.deep.equal({ accepted: 2, lost: 1, repeated: 0 }));

  it('counts POSTs beyond the first of an event, of accepted events alone', () =>
    expect(accountFor(['evt_1', 'evt_2'], posts)).to.deep.equal({ accepted: 2, lost: 0, repeated: 2 }));
});

describe('callsOf', () => {
  it('counts calls without an answer in time apart from those that were reset', () =>
    expect(callsOf(['ECONNRESET', NO_ANSWER, 'ECONNREFUSED'])).to.deep.equal({ reset: 2, late: 1 }));
});
