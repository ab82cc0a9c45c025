import { PERMISSIONS } from '@postrider/shared/domain/permission';
import { expect } from 'chai';
import { declaredOperations } from '../../src/document/declared-operations.js';
import { readDocument } from '../../src/document/read-document.js';
import type { Credential } from '../../src/domain/credential.js';
import { isEffective } from '../../src/operations/effective-permissions.js';
import { operationAccess } from '../../src/operations/operation-access.js';

const TOKEN: Credential = {
  type: 'api_token',
  id: 'tok_1',
  workspaceId: 'ws_1',
  scopes: ['admin'],
  role: null,
  expiresAt: null,
  endpointIds: null,
};
const LINK: Credential = { ...TOKEN, type: 'portal_link', id: 'ptl_1' };
const BEARERS: Readonly<Record<string, Credential>> = {
  'an API token': TOKEN,
  'a portal link': LINK,
  'a portal link that is limited to endpoints': { ...LINK, endpointIds: new Set(['whe_1']) },
};

describe('effective permissions', () => {
  const operations = declaredOperations(readDocument());
  const idsOf = (permission: string) =>
    operations.flatMap(({ operationId, authorization }) =>
      authorization.kind === 'permission' && authorization.permission === permission ? [operationId] : [],
    );

  for (const [name, credential] of Object.entries(BEARERS)) {
    it(`are those of which ${name} can use every operation`, () => {
      for (const permission of PERMISSIONS) {
        const isUsable = idsOf(permission).every((id) => operationAccess(id, credential) === 'granted');
        expect(isEffective(permission, credential), permission).to.equal(isUsable);
      }
    });
  }
});
