import { expect } from 'chai';
import { takePortalToken } from '../src/session/portal-token.js';

describe('the token of a portal link', () => {
  /** @returns the token, and the address that the page then has */
  function take(hash: string): { readonly token: string | null; readonly address: string | null } {
    let address: string | null = null;
    const history = {
      replaceState: (_state: unknown, _title: string, url: string) => {
        address = url;
      },
    };
    const location = { hash, pathname: '/console/', search: '?from=mail' };
    const token = takePortalToken(location as Location, history as unknown as History);
    return { token, address };
  }

  it('is taken out of the address', () => {
    expect(take('#token=ppl_a%2Db')).to.deep.equal({ token: 'ppl_a-b', address: '/console/?from=mail' });
    expect(take('')).to.deep.equal({ token: null, address: null });
    expect(take('#/webhooks')).to.deep.equal({ token: null, address: null });
  });

  // Regression: the page stayed blank, with the token in its address.
  for (const text of ['%', 'ppl_a%2', '%ff'])
    it(`is taken as it is written if it cannot be decoded: ${text}`, () => {
      expect(take(`#token=${text}`)).to.deep.equal({ token: text, address: '/console/?from=mail' });
    });
});
