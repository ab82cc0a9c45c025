import { expect } from 'chai';
import { isComplete, linkOf, newLinkDraft } from '../src/portal-links/link-draft.js';

const HELD = new Set(['webhook:list']);
const ENDPOINT = { id: 'whe_1', url: 'https://hooks.example.com/in' };

describe('draft of a portal link', () => {
  it('is for all endpoints only when all are chosen explicitly', () => {
    const draft = newLinkDraft();
    expect(linkOf(draft, HELD)).to.deep.equal({ expiresIn: 3600 });
    expect(isComplete(draft)).to.equal(true);
    const none = { ...draft, reach: 'chosen' } as const;
    expect(isComplete(none)).to.equal(false);
    expect(linkOf(none, HELD).endpointIds).to.deep.equal([]);
  });

  it('names the chosen endpoints, and none that were chosen before all were', () => {
    const draft = { ...newLinkDraft(), reach: 'chosen', endpoints: [ENDPOINT] } as const;
    expect(isComplete(draft)).to.equal(true);
    expect(linkOf(draft, HELD).endpointIds).to.deep.equal(['whe_1']);
    expect(linkOf({ ...draft, reach: 'all' }, HELD)).to.not.have.property('endpointIds');
  });
});
