import { expect } from 'chai';
import { firstDue } from '../../src/domain/first-due.js';
import { later, NOON } from '../../src/testing/builders.js';

describe('the time at which a first attempt is due', () => {
  for (const [title, wallMs, due] of [
    ["follows the database's clock while the clocks agree", 0, NOON],
    ["follows the database's clock if the machine's is behind by less than a minute", -59_000, NOON],
    ["follows the machine's clock if it is an hour behind", -3_600_000, later(-3_600_000)],
    ["follows the database's clock if the machine's is an hour ahead", 3_600_000, NOON],
  ] as const)
    it(title, () => {
      expect(firstDue(NOON, NOON.getTime() + wallMs)).to.deep.equal(due);
    });
});
