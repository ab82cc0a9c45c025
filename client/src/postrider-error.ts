import type { components } from './generated/openapi.js';

export type Problem = components['schemas']['Problem'];
/** The tags in the OpenAPI document. A newer server may send others. */
export type ProblemTag = Problem['tag'];

/** The server refused a request. */
export class PostriderError<T extends ProblemTag = ProblemTag> extends Error {
  override readonly name = 'PostriderError';
  readonly tag: T;
  readonly status: number;
  /** Describes the problem and how to resolve it. */
  readonly detail: string;
  /** All invalid inputs; empty unless the input is invalid. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Include it in support requests. */
  readonly traceId: string;

  constructor({ tag, status, detail, errors = [], traceId }: Problem & { readonly tag: T }) {
    super(`${tag}: ${detail}`);
    this.tag = tag;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.traceId = traceId;
  }

  /** Whether the tag is one of these. */
  is<Tag extends ProblemTag>(...tags: readonly Tag[]): this is PostriderError<Tag> {
    return (tags as readonly string[]).includes(this.tag);
  }
}

/** The response is not from Postrider, for example an error page or a redirect of a proxy. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(
    readonly status: number,
    readonly body: string,
    /** Where the response redirects to; null unless it does. */
    readonly location: string | null = null,
  ) {
    const redirect = location === null ? '' : `, a redirect to ${location}`;
    super(`unexpected answer with status ${status}${redirect}`);
  }
}

/** Whether a successful response has content, and it is not JSON: a proxy or another site answered. */
export function isForeign({ status, headers }: Response): boolean {
  const hasContent = status !== 204 && headers.get('content-length') !== '0';
  return hasContent && !hasType(headers, 'application/json');
}

/** Whether the content has this media type. */
export function hasType(headers: Headers, type: string): boolean {
  return headers.get('content-type')?.toLowerCase().startsWith(type) ?? false;
}

/** Reads the error from a response that is unsuccessful or not from Postrider. */
export async function errorOf(response: Response): Promise<PostriderError | UnexpectedAnswer> {
  const body = await response.text();
  const problem = hasType(response.headers, 'application/problem+json') ? parsed(body) : null;
  return problem === null
    ? new UnexpectedAnswer(response.status, body, locationOf(response))
    : new PostriderError(problem);
}

function locationOf({ headers, url }: Response): string | null {
  const location = headers.get('location');
  return location !== null && URL.canParse(location, url) ? new URL(location, url).href : null;
}

function parsed(body: string): Problem | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'tag' in value ? (value as Problem) : null;
  } catch {
    return null;
  }
}
