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

describe('postrider publish', () => {
  const published = { eventId: 'evt_1', type: 'invoice.paid' };
  const publish = async (...args: readonly string[]) => {
    const keys: unknown[] = [];
    const { code } = await runAgainst(
      (_method, _url, headers) => {
        keys.push(headers['idempotency-key']);
        return { status: 202, body: published };
      },
      ...['publish', 'invoice.paid', '--data', 'package.json', ...args],
    );
    return { code, keys };
  };

  it('passes on the idempotency key, so that a script may repeat it', async () => {
    const { code, keys } = await publish('--idempotency-key', 'invoice-4f9k2-paid');
    expect([code, keys]).to.deep.equal([0, ['invoice-4f9k2-paid']]);
  });

  it('uses a new key each time without one', async () => {
    const [first, second] = [await publish(), await publish()];
    expect(first.keys[0]).to.be.a('string');
    expect(first.keys).to.not.deep.equal(second.keys);
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
