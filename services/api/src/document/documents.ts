import type { Catalogue } from '@postrider/shared/catalogue/catalogue';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import { asyncApiDocument } from './asyncapi.js';
import { documentedType } from './custom-types.js';
import type { OpenApiDocument } from './openapi.js';
import { receivedCustom } from './webhook-section.js';

/** The served documents, as JSON. They show the event types of the catalogue as it is now. */
export interface Documents {
  openApi(): Buffer;
  asyncApi(): Buffer;
}

interface DocumentParts {
  readonly document: OpenApiDocument;
  readonly version: string;
  readonly topicPrefix: string;
  readonly catalogue: Pick<CatalogueView, 'current'>;
}

/** Writes the documents once for each version of the catalogue. */
export function createDocuments({ document, version, topicPrefix, catalogue }: DocumentParts): Documents {
  const write = (current: Catalogue) => {
    const types = [...current.types.values()].map(documentedType);
    const webhooks = Object.fromEntries(types.map((type) => [type.name, receivedCustom(type)]));
    return {
      of: current,
      openApi: toJson({ ...document, webhooks: { ...document.webhooks, ...webhooks } }),
      asyncApi: toJson(asyncApiDocument({ version, topicPrefix, custom: types })),
    };
  };
  let written: ReturnType<typeof write> | null = null;
  const latest = () => {
    const current = catalogue.current();
    if (written?.of !== current) written = write(current);
    return written;
  };
  return { openApi: () => latest().openApi, asyncApi: () => latest().asyncApi };
}

function toJson(document: object): Buffer {
  return Buffer.from(JSON.stringify(document));
}
