import { expect } from 'chai';
import { normalizeEmail } from '../../src/domain/email.js';

describe('normalizeEmail', () => {
  for (const [text, normal] of [
    ['ada@example.com', 'ada@example.com'],
    ['  Ada.Lovelace+x@Example.COM\n', 'ada.lovelace+x@example.com'],
    ["o'hara@mail.example.co.uk", "o'hara@mail.example.co.uk"],
    ['1@xn--bcher-kva.example', '1@xn--bcher-kva.example'],
  ] as const) {
    it(`${JSON.stringify(text)} becomes ${normal}`, () => {
      expect(normalizeEmail(text)).to.equal(normal);
    });
  }

  for (const text of [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@localhost',
    'ada@example..com',
    'ada@-example.com',
    'ada@example.com.',
    'a da@example.com',
    'ada@example.com\r\nbcc: eve@example.com',
    'ada@eve@example.com',
    'Ada <ada@example.com>',
    // The Kelvin sign becomes an ordinary k in lower case: two addresses would be one.
    '\u212Aate@example.com',
    `${'a'.repeat(65)}@example.com`,
    `ada@${'a.'.repeat(130)}com`,
  ]) {
    it(`${JSON.stringify(text.slice(0, 40))} is not an e-mail address`, () => {
      expect(normalizeEmail(text)).to.equal(null);
    });
  }
});
