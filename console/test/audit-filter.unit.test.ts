import { AUDIT_ACTIONS } from '@postrider/shared/domain/audit-event';
import { expect } from 'chai';
import { ACTIONS } from '../src/audit-log/audit-filter.js';

describe('filters of the audit log', () => {
  it('offer every action', () => {
    expect(ACTIONS).to.have.members([...AUDIT_ACTIONS]);
  });
});
