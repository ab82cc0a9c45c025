import { createAdminProgram } from '@postrider/api/admin/admin-program';
import { DECLARATION } from '@postrider/dispatcher/config';
import { expect } from 'chai';

describe('the self-test of an installation', () => {
  // Regression: a healthy installation in which few receivers had events failed, because both took a minute.
  it('waits longer than the outage guard may withhold the failure that it provokes', () => {
    const program = createAdminProgram({ env: {}, terminal: { print: () => {}, printError: () => {} } });
    const command = program.commands.find((one) => one.name() === 'self-test');
    const { DELIVERY_TIMEOUT, OUTAGE_GUARD_WITHHOLD } = DECLARATION;
    const withheldMs = Number(DELIVERY_TIMEOUT.default) + Number(OUTAGE_GUARD_WITHHOLD.default);
    expect(command?.opts().within).to.be.above(withheldMs);
  });
});
