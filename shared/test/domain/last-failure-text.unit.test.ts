import { expect } from 'chai';
import { lastFailureText, lastOutcomeText } from '../../src/domain/last-failure-text.js';
import { unsendable } from '../../src/testing/builders.js';

describe('lastFailureText', () => {
  it('names the status of a response', () => {
    expect(lastFailureText({ httpStatus: 503, failureReason: 'http_status' })).to.equal(
      ' (the last one: HTTP 503)',
    );
  });

  it('names why there was no response', () => {
    expect(lastOutcomeText({ kind: 'unreachable', reason: 'connection_refused' })).to.equal(
      ' (the last one: the connection was refused)',
    );
    expect(lastOutcomeText(unsendable('blocked_address')), 'public ranges may be denied, too').to.equal(
      ' (the last one: webhooks are not sent to this address)',
    );
  });

  it('is empty where no attempt is known, or the last one was accepted', () => {
    expect(lastFailureText(null)).to.equal('');
    expect(lastOutcomeText({ kind: 'answered', httpStatus: 204, responseBody: null })).to.equal('');
  });
});
