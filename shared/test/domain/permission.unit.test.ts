import { expect } from 'chai';
import {
  isPermission,
  isScope,
  PERMISSIONS,
  type Permission,
  permissionsOf,
  SCOPES,
  type Scope,
  scopesBeyond,
} from '../../src/domain/permission.js';

const READ: readonly Permission[] = [
  'workspace:read',
  'webhook:list',
  'notification:list',
  'audit_event:list',
  'member:list',
  'api_token:list',
  'event_type:list',
  'replay_job:list',
];
const WRITE: readonly Permission[] = [
  ...READ,
  'webhook:create',
  'webhook:update',
  'webhook:delete',
  'webhook:rotate_secret',
  'webhook:test',
  'webhook:replay',
  'member:invite',
  'event:publish',
  'replay_job:create',
  'replay_job:cancel',
];
const ADMIN_ONLY: readonly Permission[] = [
  'billing:update',
  'member:update',
  'member:remove',
  'api_token:create',
  'api_token:revoke',
  'portal_link:create',
];

describe('scopes', () => {
  const BUNDLED = [
    ['read', READ],
    ['write', WRITE],
    ['admin', [...WRITE, ...ADMIN_ONLY]],
  ] as const;
  for (const [bundle, permissions] of BUNDLED) {
    it(`grant exactly the permissions of the bundle ${bundle}`, () => {
      expect([...permissionsOf([bundle])]).to.have.members([...permissions]);
    });
  }

  it('that are permissions grant only themselves', () => {
    for (const permission of PERMISSIONS) {
      expect([...permissionsOf([permission])]).to.deep.equal([permission]);
    }
  });

  it('grant the union of their permissions', () => {
    expect([...permissionsOf(['webhook:test', 'webhook:list', 'webhook:test'])]).to.have.members([
      'webhook:test',
      'webhook:list',
    ]);
    expect([...permissionsOf(['read', 'billing:update'])]).to.have.members([...READ, 'billing:update']);
  });

  it('grant nothing if there are none', () => expect(permissionsOf([]).size).to.equal(0));

  it('are exactly the bundles and the permissions', () => {
    expect(SCOPES).to.have.members(['read', 'write', 'admin', ...WRITE, ...ADMIN_ONLY]);
    for (const scope of SCOPES) expect(isScope(scope), scope).to.equal(true);
  });

  for (const name of [
    'assistant:read',
    'assistant:write',
    'webhook:*',
    'READ',
    'read ',
    '',
    'toString',
    '__proto__',
  ]) {
    it(`do not include "${name}"`, () => {
      expect(isScope(name)).to.equal(false);
      expect(isPermission(name)).to.equal(false);
    });
  }

  it('that are bundles are not permissions', () => {
    for (const bundle of ['read', 'write', 'admin']) expect(isPermission(bundle)).to.equal(false);
  });
});

describe('scopesBeyond, section 5.1', () => {
  const beyond = (requested: readonly Scope[], held: readonly Scope[]) =>
    scopesBeyond(requested, permissionsOf(held));

  it('returns nothing for scopes that the holder has', () => {
    expect(beyond(['read', 'write', 'admin', ...PERMISSIONS], ['admin'])).to.deep.equal([]);
    expect(beyond(['read', 'webhook:list'], ['read'])).to.deep.equal([]);
    expect(beyond(['webhook:test'], ['webhook:test'])).to.deep.equal([]);
    expect(beyond([], [])).to.deep.equal([]);
  });

  it('returns the scopes that grant more', () => {
    expect(beyond(['read', 'write', 'admin'], ['write'])).to.deep.equal(['admin']);
    expect(beyond(['read', 'write', 'webhook:test'], ['read'])).to.deep.equal(['write', 'webhook:test']);
    expect(beyond(['webhook:list', 'read'], ['webhook:list'])).to.deep.equal(['read']);
    expect(beyond(['api_token:create'], ['write'])).to.deep.equal(['api_token:create']);
  });

  it('accepts a bundle if the holder has each of its permissions', () => {
    expect(beyond(['read'], READ)).to.deep.equal([]);
    expect(beyond(['read'], READ.slice(1))).to.deep.equal(['read']);
    expect(beyond(['admin'], PERMISSIONS)).to.deep.equal([]);
  });

  it('returns every scope for a holder without permissions', () => {
    expect(beyond(SCOPES, [])).to.deep.equal(SCOPES);
  });
});
