import { expect } from 'chai';
import { endpointQuery } from '../src/portal-links/endpoint-query.js';
import { isComplete, linkOf, newLinkDraft, PERMISSIONS } from '../src/portal-links/link-draft.js';

const ALL = new Set<string>(PERMISSIONS);
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

  // Regression: a replay could be counted, but its count not be read.
  it('permits what the pages of a chosen permission read with, as far as the token permits it', () => {
    const draft = { ...newLinkDraft(), access: 'choose' } as const;
    const scopesOf = (chosen: (typeof PERMISSIONS)[number], held = ALL) =>
      linkOf({ ...draft, permissions: [chosen] }, held).scopes;
    expect(scopesOf('replay_job:create')).to.have.members([
      'replay_job:create',
      'replay_job:list',
      'webhook:list',
    ]);
    expect(scopesOf('webhook:test')).to.have.members(['webhook:test', 'webhook:list']);
    expect(scopesOf('event_type:list')).to.deep.equal(['event_type:list']);
    expect(scopesOf('webhook:test', new Set(['webhook:test']))).to.deep.equal(['webhook:test']);
    expect(isComplete({ ...draft, permissions: [] })).to.equal(false);
  });
});

describe('endpoints for a portal link', () => {
  it('are found by a whole id, or by a part of what they have', () => {
    const id = 'whe_01krzmb7g0q5w9n2x4c8v1j6th';
    expect(endpointQuery(id)).to.deep.equal({ ids: id });
    expect(endpointQuery(id.slice(0, -1))).to.deep.equal({ text: id.slice(0, -1) });
    expect(endpointQuery('orders')).to.deep.equal({ text: 'orders' });
    expect(endpointQuery('')).to.deep.equal({});
  });
});
