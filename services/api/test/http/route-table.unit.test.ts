import { expect } from 'chai';
import { declaredOperations } from '../../src/document/declared-operations.js';
import { readDocument } from '../../src/document/read-document.js';
import { createRouteTable } from '../../src/http/route-table.js';

const document = readDocument();

describe('route table', () => {
  const find = createRouteTable(declaredOperations(document));
  const selected = (method: string, path: string) => {
    const match = find(method, path);
    return match.kind === 'route' ? [match.route.operationId, match.parameters] : match;
  };

  it('prefers a literal to a parameter if both match', () => {
    expect(selected('GET', '/workspaces/acme/webhooks/deliveries/deliveries')).to.deep.equal([
      'get_webhook_delivery',
      { deliveryId: 'deliveries' },
    ]);
  });

  it('matches a literal as a parameter if no route ends at the literal', () => {
    const table = createRouteTable([
      { method: 'get', template: '/workspaces/{slug}/things/{id}' },
      { method: 'get', template: '/workspaces/{slug}/things/parts/{part}' },
    ]);
    const match = table('GET', '/workspaces/acme/things/parts');
    expect(match).to.deep.include({ kind: 'route', parameters: { id: 'parts' } });
  });

  it('does not fall back to a parameter if only the method is wrong', () => {
    expect(selected('POST', '/workspaces/acme/webhooks/deliveries/rotate-secret')).to.deep.equal({
      kind: 'wrong-method',
      allowed: ['GET', 'HEAD'],
    });
  });

  it('decodes the slug and the other parameters', () => {
    const match = find('GET', '/workspaces/%61cme/webhooks/whe%2F1');
    expect(match).to.deep.include({ slug: 'acme', parameters: { endpointId: 'whe/1' } });
  });

  for (const { operationId, method, template } of declaredOperations(document)) {
    it(`finds ${operationId} by its template`, () => {
      const match = find(method.toUpperCase(), template.replaceAll(/[{}]/g, ''));
      expect(match.kind === 'route' && match.route.operationId).to.equal(operationId);
    });
  }
});

describe('declared operations', () => {
  it('rejects a document in which an operation declares no permission', () => {
    const open = structuredClone(document);
    Object.assign(open.paths['/workspaces/{slug}/overview']!.get!, { security: [] });
    expect(() => declaredOperations(open)).to.throw('get_workspace_overview');
  });
});
