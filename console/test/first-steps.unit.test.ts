import { expect } from 'chai';
import { sectionOf } from '../src/app/section-of.js';
import { eventTypesOf, typesDraftOf } from '../src/endpoints/event-types-draft.js';
import { readFirstSteps, stepOf } from '../src/first-steps/first-steps.js';

describe('place of the first steps', () => {
  it('is read from the address, without what is unknown', () => {
    const place = { endpointId: 'whe_1', step: 'test', deliveryId: 'whd_1' };
    expect(readFirstSteps({ ...place, other: 1 })).to.deep.equal(place);
    expect(readFirstSteps({ endpointId: 1, step: 'lost' })).to.deep.equal({});
  });

  it('is the creation before there is an endpoint, then its secret, then what the address names', () => {
    expect(stepOf({ step: 'check' })).to.equal('create');
    expect(stepOf({ endpointId: 'whe_1' })).to.equal('secret');
    expect(stepOf({ endpointId: 'whe_1', step: 'check' })).to.equal('check');
  });
});

describe('event types of a form', () => {
  it('contain a prefix that was entered but not added, once', () => {
    const chosen = ['billing.*'];
    const draft = typesDraftOf(chosen);
    expect(eventTypesOf({ ...draft, entered: ' invoice.* ' })).to.deep.equal(['billing.*', 'invoice.*']);
    expect(eventTypesOf({ ...draft, entered: 'billing.*' })).to.deep.equal(chosen);
    expect(eventTypesOf({ ...draft, entered: ' ' })).to.deep.equal(chosen);
  });

  // Regression: the choice was lost when all were chosen and then not.
  it('are all while all are chosen, and afterwards those that were chosen before', () => {
    const draft = { ...typesDraftOf(['billing.*']), entered: 'invoice.*' };
    expect(eventTypesOf({ ...draft, isAll: true })).to.deep.equal(['*']);
    expect(typesDraftOf(['*', 'billing.*'])).to.deep.equal({
      isAll: true,
      chosen: ['billing.*'],
      entered: '',
    });
  });
});

describe('section of a page', () => {
  it('is the list to which an address belongs, and none outside the navigation', () => {
    expect(sectionOf('/endpoints/whe_1')).to.equal('/endpoints');
    expect(sectionOf('/deliveries')).to.equal('/deliveries');
    expect(sectionOf('/')).to.equal('/');
    expect(sectionOf('/invitations/acme/inv_1/pri_1')).to.equal(null);
  });
});
