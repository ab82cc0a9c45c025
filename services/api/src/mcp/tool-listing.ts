import type { Tool as ToolListing } from '@modelcontextprotocol/sdk/types.js';
import { compactSchema } from './compact-schema.js';
import { KEY_ARGUMENT, KEY_SCHEMA } from './idempotent-call.js';
import type { ObjectSchema } from './tool-input.js';

/** The properties that a client may assume of a call. */
export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
}

interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly annotations: Annotations;
  readonly input: ObjectSchema;
  readonly takesKey: boolean;
}

/**
 * A tool as it is listed: without the schema of its result, which is a resource and would take most of the list, and
 * without an empty list of required arguments.
 */
export function toolListing({ input, takesKey, ...about }: ListedTool): ToolListing {
  const key = takesKey ? { [KEY_ARGUMENT]: KEY_SCHEMA } : {};
  const { properties, required, ...schema } = compactSchema({
    ...input,
    properties: { ...input.properties, ...key },
  }) as ObjectSchema;
  // The protocol's types have no read-only lists.
  const inputSchema = {
    ...schema,
    properties: { ...(properties ?? {}) },
    ...(required.length > 0 && { required: [...required] }),
  };
  return { ...about, inputSchema };
}
