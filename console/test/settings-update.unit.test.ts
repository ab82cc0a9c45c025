import { expect } from 'chai';
import { type EndpointSettings, settingsUpdate } from '../src/endpoints/settings-update.js';

const BEGAN: EndpointSettings = {
  url: 'https://example.com/in',
  eventTypes: ['invoice.*', 'billing.plan_changed'],
  description: null,
  recovery: 'manual',
};

describe('change of an endpoint by its form', () => {
  it('has only what was edited', () => {
    expect(settingsUpdate(BEGAN, { ...BEGAN, description: 'orders' })).to.deep.equal({
      description: 'orders',
    });
    expect(settingsUpdate(BEGAN, { ...BEGAN, eventTypes: ['*'], recovery: 'probe' })).to.deep.equal({
      eventTypes: ['*'],
      recovery: 'probe',
    });
    expect(settingsUpdate({ ...BEGAN, description: 'orders' }, BEGAN)).to.deep.equal({ description: null });
  });

  it('is empty if nothing was edited, also if event types were selected again', () => {
    const eventTypes = ['billing.plan_changed', 'invoice.*'];
    expect(settingsUpdate(BEGAN, { ...BEGAN, eventTypes })).to.deep.equal({});
    const all = { ...BEGAN, eventTypes: ['*', ...eventTypes] };
    expect(settingsUpdate(all, { ...BEGAN, eventTypes: ['*'] })).to.deep.equal({});
  });
});
