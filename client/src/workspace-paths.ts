import type { Client as FetchClient, MaybeOptionalInit, MethodResponse } from 'openapi-fetch';
import type { PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { paths } from './generated/openapi.js';

/** The paths of the OpenAPI document relative to the workspace: `/workspaces/{slug}/webhooks` becomes `/webhooks`. */
export type WorkspacePaths = {
  [Path in keyof paths as Path extends `/workspaces/{slug}${infer Rest}` ? Rest : never]: {
    [Part in keyof paths[Path]]: Part extends 'parameters'
      ? paths[Path][Part]
      : WithoutSlug<paths[Path][Part]>;
  };
};

/** An operation without the `slug` parameter. */
type WithoutSlug<Operation> = Operation extends { readonly parameters: infer Parameters }
  ? Omit<Operation, 'parameters'> & { readonly parameters: OtherParameters<Parameters> }
  : Operation;

type OtherParameters<Parameters> = Parameters extends { readonly path: infer InPath }
  ? Omit<Parameters, 'path'> &
      (Exclude<keyof InPath, 'slug'> extends never
        ? { readonly path?: never }
        : { readonly path: Omit<InPath, 'slug'> })
  : Parameters;

export type Verb = 'get' | 'put' | 'post' | 'patch' | 'delete';
export type PathOf<V extends Verb> = PathsWithMethod<WorkspacePaths, V>;
/** The parameters, body and signal of the operation at this path. */
type InitOf<V extends Verb, P extends PathOf<V>> = NonNullable<MaybeOptionalInit<WorkspacePaths[P], V>>;
export type Arguments<V extends Verb, P extends PathOf<V>> =
  RequiredKeysOf<InitOf<V, P>> extends never ? [init?: InitOf<V, P>] : [init: InitOf<V, P>];

type Body<V extends Verb, P extends PathOf<V>> = MethodResponse<FetchClient<WorkspacePaths>, V, P>;
/** The body of a successful response; undefined when it has none. */
export type Answer<V extends Verb, P extends PathOf<V>> = [Body<V, P>] extends [never]
  ? undefined
  : Body<V, P>;

interface Page {
  readonly items: readonly unknown[];
  readonly nextCursor: string | null;
}

/** The paths that return a page of items. */
export type ListPath = {
  [P in PathOf<'get'>]: Body<'get', P> extends Page ? P : never;
}[PathOf<'get'>];
export type ItemOf<P extends ListPath> =
  Body<'get', P> extends { readonly items: readonly (infer Item)[] } ? Item : never;
