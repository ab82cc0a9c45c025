import { anEventType, fixedCatalogue } from '@postrider/shared/testing/fixed-catalogue';
import { expect } from 'chai';
import type { AsyncApiDocument } from '../../src/document/asyncapi.js';
import { createDocuments } from '../../src/document/documents.js';
import type { OpenApiDocument } from '../../src/document/openapi.js';
import { readDocument } from '../../src/document/read-document.js';

describe('the served documents', () => {
  const catalogue = fixedCatalogue();
  const documents = createDocuments({
    document: readDocument(),
    version: '1.0.0',
    topicPrefix: '',
    catalogue,
  });

  const openApi = () => JSON.parse(`${documents.openApi()}`) as OpenApiDocument;

  it('show custom types as soon as the catalogue has them, with examples', () => {
    expect(openApi().webhooks).to.not.have.property('invoice.paid');
    catalogue.set([anEventType({ deprecated: true })]);
    const { post } = openApi().webhooks['invoice.paid'] as {
      post: { deprecated: boolean; requestBody: { content: { 'application/json': { example: object } } } };
    };
    expect(post.deprecated).to.equal(true);
    expect(post.requestBody.content['application/json'].example).to.have.nested.property(
      'payload.amount',
      4200,
    );
    const asyncApi = JSON.parse(`${documents.asyncApi()}`) as AsyncApiDocument;
    const message = asyncApi.components.messages['workspaceEvents.invoice.paid'];
    expect(message).to.have.nested.property('payload.properties.amount');
    expect(message).to.have.nested.property('examples[0].payload.amount', 4200);
    expect(message!.headers.required, 'of events that other services produce').to.deep.equal(['ce_type']);
  });

  it('keep the built-in types, and are written once for each version', () => {
    expect(openApi().webhooks).to.have.property('billing.plan_changed');
    expect(documents.openApi()).to.equal(documents.openApi());
  });

  it('give each type an operation of its own', () => {
    catalogue.set([anEventType({ name: 'a.b_c' }), anEventType({ name: 'a_b.c' })]);
    const ids = Object.values(openApi().webhooks as Record<string, { post: { operationId: string } }>);
    expect(new Set(ids.map(({ post }) => post.operationId)).size).to.equal(ids.length);
  });
});
