import { EVENT_TYPES, TEST_EVENT_TYPE } from '@postrider/shared/domain/event-type';
import { isPermission } from '@postrider/shared/domain/permission';
import { expect } from 'chai';
import { PROBLEM_KINDS } from '../../src/contract/problem.js';
import {
  METHODS,
  type OpenApiDocument,
  type Operation,
  type Reference,
  type ResponseObject,
  type Schema,
} from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';
import type { Deps } from '../../src/operations/deps.js';
import { createOperations } from '../../src/operations/operations.js';
import { answersOnce } from '../every-operation/answers-once.js';

const document: OpenApiDocument = readDocument();
const declared = Object.entries(document.paths).flatMap(([path, item]) =>
  METHODS.flatMap((method) => (item[method] ? [{ path, method, operation: item[method] as Operation }] : [])),
);

function resolved(part: ResponseObject | Reference): ResponseObject {
  if (!('$ref' in part)) return part;
  return document.components.responses[part.$ref.replace('#/components/responses/', '')]!;
}

/** Whether the schema, or the items of a page, have an example. */
function hasExample(schema: Schema): boolean {
  if (typeof schema.$ref === 'string') {
    return hasExample(document.components.schemas[schema.$ref.replace('#/components/schemas/', '')]!);
  }
  if (Array.isArray(schema.anyOf)) return schema.anyOf.every(hasExample);
  const { items } = (schema.properties ?? {}) as { items?: { items?: Schema } };
  return Array.isArray(schema.examples) || (items?.items !== undefined && hasExample(items.items));
}

describe('OpenAPI document', () => {
  it('declares exactly the existing operations', () => {
    const known = Object.keys(
      createOperations({ clock: { now: () => new Date() } } as unknown as Deps, async () => new Map()),
    );
    expect(declared.map(({ operation }) => operation.operationId).sort()).to.deep.equal(known.sort());
  });

  for (const { path, method, operation } of declared) {
    it(`declares parameters, rate limit and responses of ${operation.operationId}`, () => {
      const { parameters, responses } = operation;
      const bucket = method === 'get' ? 'rest_read' : 'rest_write';
      expect(operation['x-rate-bucket']).to.equal(
        /^publish_/.test(operation.operationId) ? 'publish' : bucket,
      );
      const statuses = Object.keys(responses);
      expect(statuses).to.include.members(['404', '500', '503']);
      expect(statuses.filter((status) => status.startsWith('2'))).to.have.length(1);
      const keys = parameters.filter((parameter) => '$ref' in parameter).map(({ $ref }) => $ref);
      expect(keys).to.deep.equal(method === 'post' ? ['#/components/parameters/IdempotencyKey'] : []);
      for (const tag of operation['x-refusals'] ?? [])
        expect(statuses).to.include(`${PROBLEM_KINDS[tag].status}`);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => name)
        .filter((name) => name !== 'slug');
      const named = parameters.flatMap((parameter) =>
        'in' in parameter && parameter.in === 'path' ? [parameter.name] : [],
      );
      expect(named).to.deep.equal(inPath);
    });
  }

  const needPermission = declared.filter(
    ({ operation: { security, operationId } }) => security.length > 0 && operationId !== 'get_session',
  );
  for (const { operation } of needPermission) {
    it(`declares one permission and the tool of ${operation.operationId}`, () => {
      expect(operation.security.map(({ bearer }) => bearer)).to.have.length(1);
      expect(operation.security[0]!.bearer).to.have.length(1);
      expect(operation.security[0]!.bearer.every(isPermission)).to.equal(true);
      expect(operation['x-mcp-tool']).to.equal(answersOnce(operation) ? operation.operationId : undefined);
      expect(Object.keys(operation.responses)).to.include.members(['401', '403']);
    });
  }

  it('requires a bearer token for every operation except accept_invitation, which has no tool', () => {
    const open = declared.filter(({ operation }) => operation.security.length === 0);
    expect(open.map(({ operation }) => operation.operationId)).to.deep.equal(['accept_invitation']);
    expect(open[0]!.operation).to.not.have.property('x-mcp-tool');
    expect(Object.keys(open[0]!.operation.responses)).to.not.include.members(['401', '403']);
  });

  it('requires a permission for every operation with a token except get_session, which has no tool', () => {
    const { get } = document.paths['/session']!;
    expect(get!.security).to.deep.equal([{ bearer: [] }]);
    expect(get!).to.not.have.property('x-mcp-tool');
  });

  for (const { operation } of declared) {
    it(`has examples of the request and response of ${operation.operationId}`, () => {
      const [body] = Object.values(operation.requestBody?.content ?? {});
      if (body !== undefined) expect(hasExample(body.schema), 'the body').to.equal(true);
      for (const [status, response] of Object.entries(operation.responses)) {
        const answer = resolved(response);
        const [media] = Object.values(answer.content ?? {});
        if (media === undefined) expect(status, 'an answer without a body').to.equal('204');
        else expect(media.examples !== undefined || hasExample(media.schema), status).to.equal(true);
      }
    });
  }

  it('describes a webhook for every event type, from the event declarations', () => {
    expect(Object.keys(document.webhooks)).to.have.members([...EVENT_TYPES, TEST_EVENT_TYPE]);
    const { post } = document.webhooks['billing.plan_changed'] as {
      post: { requestBody: { content: object } };
    };
    expect(JSON.stringify(post.requestBody.content)).to.include('"previousPlan"');
  });

  it('uses plain JSON Schema and contains no dangling reference', () => {
    const text = JSON.stringify(document);
    expect(text).to.not.include('"nullable"');
    for (const [, reference] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = reference!
        .split('/')
        .reduce<unknown>((part, key) => (part as Record<string, unknown>)?.[key], document);
      expect(target, reference).to.be.an('object');
    }
  });
});
