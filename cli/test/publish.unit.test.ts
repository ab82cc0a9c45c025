import { expect } from 'chai';
import { refusal, runAgainst } from './fake-api.js';

describe('postrider trigger', () => {
  it('names the fields that are not part of the event', async () => {
    const published = { eventId: 'evt_1', type: 'invoice.paid', droppedFields: ['data.color', 'data.a.b'] };
    const { code, out, err } = await runAgainst(
      (method) => (method === 'GET' ? { body: { example: {} } } : { status: 202, body: published }),
      ...['trigger', 'invoice.paid'],
    );
    expect(code).to.equal(0);
    expect(out).to.deep.equal(['evt_1  invoice.paid is accepted and will be delivered.']);
    expect(err).to.deep.equal([
      'Not part of the event, because its schema does not name them: data.color, data.a.b',
    ]);
  });
});

// Regression: a script read exit code 3 as a token that lacks a permission.
it('postrider trigger exits with the code of a refusal for a type that only Postrider emits', async () => {
  const { code, err } = await runAgainst(
    (method) => (method === 'GET' ? { body: { example: {} } } : refusal('ReservedEventType', 403)),
    ...['trigger', 'billing.plan_changed'],
  );
  expect(err[0]).to.equal('ReservedEventType: No.');
  expect(code).to.equal(1);
});
