import { ROLES } from '@postrider/shared/domain/member';
import { permissionsOf } from '@postrider/shared/domain/permission';
import { expect } from 'chai';
import { permissionsOfCredential, permissionsOfRole } from '../../src/domain/credential.js';

describe('permissions of a credential', () => {
  it('are what the scopes grant, unless it is a member', () => {
    expect(permissionsOfCredential({ scopes: ['write'], role: null })).to.deep.equal(
      permissionsOf(['write']),
    );
  });

  for (const role of ROLES)
    it(`are never more than the role ${role} permits`, () => {
      expect(permissionsOfCredential({ scopes: ['admin'], role })).to.deep.equal(permissionsOfRole(role));
    });

  it('are never more than the scopes of a member grant', () => {
    const scopes = ['webhook:list', 'member:remove'] as const;
    expect([...permissionsOfCredential({ scopes, role: 'owner' })]).to.deep.equal(scopes);
    expect([...permissionsOfCredential({ scopes, role: 'member' })]).to.deep.equal(['webhook:list']);
    expect([...permissionsOfCredential({ scopes: [], role: 'owner' })]).to.deep.equal([]);
  });

  it('differ by role', () => {
    expect(permissionsOfRole('viewer')).to.deep.equal(permissionsOf(['read']));
    expect(permissionsOfRole('member')).to.deep.equal(permissionsOf(['write']));
    expect(permissionsOfRole('admin')).to.deep.equal(permissionsOf(['admin']));
    expect(permissionsOfRole('owner')).to.deep.equal(permissionsOf(['admin']));
  });
});
