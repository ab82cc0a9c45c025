import type { Method } from '../document/openapi.js';

/** The properties of a route that the table uses. */
interface RouteKey {
  readonly method: Method;
  /** Like `/workspaces/{slug}/webhooks`. */
  readonly template: string;
}

/** The result of a lookup by method and path. */
export type RouteMatch<Route> =
  | {
      readonly kind: 'route';
      readonly route: Route;
      /** Decoded. */
      readonly slug: string;
      /** The other path parameters, decoded. */
      readonly parameters: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'wrong-method'; readonly allowed: readonly string[] }
  | { readonly kind: 'unknown-path' };

export type FindRoute<Route> = (method: string, path: string) => RouteMatch<Route>;

/** A prefix of paths, by segments. */
interface Node<Route> {
  readonly literals: Map<string, Node<Route>>;
  parameter: Node<Route> | null;
  /** The routes of exactly this path, by method. */
  readonly routes: Map<string, Route>;
}

/** Compiles the routes into a tree of segments. A literal takes precedence over a parameter. */
export function createRouteTable<Route extends RouteKey>(routes: readonly Route[]): FindRoute<Route> {
  const root = emptyNode<Route>();
  for (const route of routes) {
    const node = route.template.split('/').reduce(childOf, root);
    node.routes.set(route.method.toUpperCase(), route);
    if (route.method === 'get') node.routes.set('HEAD', route);
  }
  return (method, path) => {
    const segments = path.split('/');
    const node = isDecodable(path) ? nodeAt(root, segments) : null;
    if (node === null) return { kind: 'unknown-path' };
    const route = node.routes.get(method);
    if (route === undefined) return { kind: 'wrong-method', allowed: [...node.routes.keys()] };
    return { kind: 'route', route, ...parametersOf(route, segments) };
  };
}

function emptyNode<Route>(): Node<Route> {
  return { literals: new Map(), parameter: null, routes: new Map() };
}

function childOf<Route>(node: Node<Route>, part: string): Node<Route> {
  if (isParameter(part)) {
    node.parameter ??= emptyNode();
    return node.parameter;
  }
  const child = node.literals.get(part) ?? emptyNode();
  node.literals.set(part, child);
  return child;
}

function nodeAt<Route>(node: Node<Route>, segments: readonly string[], depth = 0): Node<Route> | null {
  const segment = segments[depth];
  if (segment === undefined) return node.routes.size > 0 ? node : null;
  const literal = node.literals.get(segment);
  const match = literal === undefined ? null : nodeAt(literal, segments, depth + 1);
  if (match !== null || node.parameter === null || segment === '') return match;
  return nodeAt(node.parameter, segments, depth + 1);
}

function parametersOf({ template }: RouteKey, segments: readonly string[]) {
  const parameters: Record<string, string> = {};
  let slug = '';
  for (const [index, part] of template.split('/').entries()) {
    if (!isParameter(part)) continue;
    const value = decodeURIComponent(segments[index] ?? '');
    if (part === '{slug}') slug = value;
    else parameters[part.slice(1, -1)] = value;
  }
  return { slug, parameters };
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== '';
  } catch {
    return false;
  }
}

function isParameter(part: string): boolean {
  return part.startsWith('{');
}
