import type { components } from './generated/openapi.js';

export type Problem = components['schemas']['Problem'];
/** What can go wrong, as the document lists it. A newer server may know more. */
export type ProblemTag = Problem['tag'];

/** The server refused a request, and said why. */
export class PostriderError<T extends ProblemTag = ProblemTag> extends Error {
  override readonly name = 'PostriderError';
  readonly tag: T;
  readonly status: number;
  /** What is wrong with this request, and what to do about it. */
  readonly detail: string;
  /** Every mistake of the input; empty unless the input is at fault. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Quote it when asking for support. */
  readonly traceId: string;

  constructor({ tag, status, detail, errors = [], traceId }: Problem & { readonly tag: T }) {
    super(`${tag}: ${detail}`);
    this.tag = tag;
    this.status = status;
    this.detail = detail;
    this.errors = errors;
    this.traceId = traceId;
  }

  /** Is it one of these? */
  is<Tag extends ProblemTag>(...tags: readonly Tag[]): this is PostriderError<Tag> {
    return (tags as readonly string[]).includes(this.tag);
  }
}

/** Something between us and the server answered in its place, or it is no Postrider. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';

  constructor(
    readonly status: number,
    readonly body: string,
  ) {
    super(`unexpected answer with status ${status}`);
  }
}

/** What an answer that is no success says. */
export async function errorOf(response: Response): Promise<PostriderError | UnexpectedAnswer> {
  const body = await response.text();
  const problem = isProblem(response) ? parsed(body) : null;
  return problem === null ? new UnexpectedAnswer(response.status, body) : new PostriderError(problem);
}

function isProblem({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('application/problem+json') ?? false;
}

function parsed(body: string): Problem | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null && 'tag' in value ? (value as Problem) : null;
  } catch {
    return null;
  }
}
