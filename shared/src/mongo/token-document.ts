import type { ApiToken } from '../domain/api-token.js';
import type { TokenDocument } from './collections.js';
import { fromDocument } from './documents.js';

/** Document → token. Fields that older versions did not store are null. */
export function fromTokenDocument({ family: _, ...document }: TokenDocument): ApiToken {
  const { createdBy = null, lastUsedAddress = null, ...stored } = document;
  return fromDocument<ApiToken>({ ...stored, createdBy, lastUsedAddress });
}
