import type { RefusalTag } from '../domain/refusal.js';
import type { InputRules } from '../operations/input-rules.js';

/** A JSON Schema, 2020-12, as OpenAPI 3.1 uses it. */
export interface Schema {
  readonly [keyword: string]: unknown;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly description?: string;
  readonly schema: Schema;
}

export interface Reference {
  readonly $ref: string;
}

export interface MediaTypes {
  readonly [mediaType: string]: { readonly schema: Schema; readonly [more: string]: unknown };
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: MediaTypes;
}

/** Requests of one bucket are counted together. */
export type RateBucket = 'rest_read' | 'rest_write' | 'assistant' | 'mcp' | 'publish';

/** One operation, with the facts that the service reads at start. */
export interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  /** Empty for operations that need no token; else one scheme with one permission. */
  readonly security: readonly { readonly bearer: readonly string[] }[];
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
  /** The refusals of this operation besides those that are possible for every request. */
  readonly 'x-refusals'?: readonly RefusalTag[];
  readonly 'x-rate-bucket': RateBucket;
  /** The maximum size of a request body, in bytes, if it is not the default. */
  readonly 'x-max-body-bytes'?: number;
  /** The name of the rule of its input that its schema cannot express. */
  readonly 'x-input-rules'?: keyof InputRules;
  /**
   * A repeated or mistaken call does harm although nothing is deleted: it makes or replaces a credential, changes a role,
   * or ends something.
   */
  readonly 'x-destructive'?: true;
  /** The name of the operation's tool; absent where there is none. */
  readonly 'x-mcp-tool'?: string;
}

export const METHODS = ['get', 'put', 'post', 'patch', 'delete'] as const;
export type Method = (typeof METHODS)[number];

export type PathItem = Readonly<Partial<Record<Method, Operation>>> & {
  readonly parameters?: readonly Reference[];
};

/** The published document. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>> & { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, unknown>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly securitySchemes: object;
    readonly parameters: object;
    readonly headers: object;
  };
}
