import type { Catalogue } from '@postrider/shared/catalogue/catalogue';
import type { CatalogueView } from '@postrider/shared/ports/catalogue';
import { type AsyncApiDocument, asyncApiDocument } from './asyncapi.js';
import { documentedType } from './custom-types.js';
import type { OpenApiDocument } from './openapi.js';
import { receivedCustom } from './webhook-section.js';

/** The served documents. They show the event types of the catalogue as it is now. */
export interface Documents {
  openApi(): OpenApiDocument;
  asyncApi(): AsyncApiDocument;
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
      openApi: { ...document, webhooks: { ...document.webhooks, ...webhooks } },
      asyncApi: asyncApiDocument({ version, topicPrefix, custom: types }),
    };
  };
  let written: ReturnType<typeof write> | null = null;
  const now = () => {
    const current = catalogue.current();
    if (written?.of !== current) written = write(current);
    return written;
  };
  return { openApi: () => now().openApi, asyncApi: () => now().asyncApi };
}
