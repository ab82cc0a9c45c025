import { expect } from 'chai';
import type { Request } from 'express';
import { expressAuthentication } from '../../src/http/express-authentication.js';

describe('the second lock', () => {
  const request = (permissions?: readonly string[]) =>
    ({
      res: { locals: permissions === undefined ? {} : { call: { permissions: new Set(permissions) } } },
    }) as unknown as Request;
  const outcome = (permissions: readonly string[] | undefined, scopes: readonly string[]) =>
    expressAuthentication(request(permissions), 'bearer', scopes).then(
      () => 'opens',
      () => 'stays shut',
    );

  it('opens for an admitted call that may use the route which really runs', async () => {
    expect(await outcome(['webhook:list', 'webhook:create'], ['webhook:create'])).to.equal('opens');
  });

  for (const [name, permissions, scopes] of [
    ['admission let pass to another route', ['webhook:list'], ['webhook:create']],
    ['nobody admitted', undefined, ['webhook:list']],
    ['declares no scope', ['webhook:list'], []],
  ] as const) {
    it(`stays shut for a route that ${name}`, async () => {
      expect(await outcome(permissions, scopes)).to.equal('stays shut');
    });
  }
});
