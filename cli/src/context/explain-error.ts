import {
  explainFetchError,
  InvalidId,
  PostriderError,
  type ProblemTag,
  UnexpectedAnswer,
} from '@postrider/client';
import { EXIT_CODES, type ExitCode } from './exit-codes.js';
import type { Terminal } from './terminal.js';

/** A mistake of the caller that the command found itself. */
export class CommandError extends Error {
  override readonly name = 'CommandError';

  constructor(
    /** Like the tags of the service. */
    readonly tag: string,
    message: string,
    readonly facts: { readonly next: string; readonly exitCode: ExitCode },
  ) {
    super(message);
  }
}

export interface Explanation {
  readonly lines: readonly string[];
  readonly exitCode: ExitCode;
}

/** The responses of Postrider, or of a proxy in front of it, to a request that may be retried later. */
const UNAVAILABLE_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const CHECK_URL = 'Check POSTRIDER_URL: it is the address of the api, without a path.';
const WAIT = 'Wait, then try again.';
const SEE_TYPES = 'List the types with `postrider catalogue list`.';
const SEE_HELP = '`postrider COMMAND --help` describes the values.';
const REPORT = 'Report it to the operator with the trace id.';

/** The next step for each refusal that commands can get. */
const NEXT_STEPS: Partial<Record<ProblemTag, string>> = {
  InvalidRequest: SEE_HELP,
  InvalidWebhookUrl: 'Give the URL of a receiver that the installation may reach, usually https and public.',
  Unauthorized: 'Sign in again with `postrider login`, or set POSTRIDER_TOKEN to a valid token.',
  Forbidden: 'Use a token with that permission; `postrider whoami` lists the permissions of this one.',
  WorkspaceNotFound: 'Check POSTRIDER_URL and the token with `postrider whoami`.',
  EndpointNotFound: 'List the endpoints with `postrider endpoints list`.',
  DeliveryNotFound: 'List deliveries with `postrider deliveries`. They are kept for 30 days.',
  ConformanceCheckNotFound: 'Start another one with `postrider endpoints check ID`.',
  EventNotFound: 'Copy the id of an event from `postrider delivery ID`.',
  RouteNotFound: CHECK_URL,
  MethodNotAllowed: 'Use `postrider` of the version that the api has.',
  EndpointDisabled: 'Enable it with `postrider endpoints update ID --enable`.',
  DeliveryNotReplayable: 'Look at it with `postrider delivery ID`.',
  ReplayJobNotFound: 'List the jobs with `postrider replay-jobs list`.',
  ReplayJobEnded: 'Look at it with `postrider replay-jobs get ID`.',
  TooManyReplayJobs:
    'Wait until one of them ends, or cancel one: `postrider replay-jobs list` and `replay-jobs cancel ID`.',
  TooManyEndpoints: 'Delete one with `postrider endpoints delete ID`, or ask the operator for more.',
  TooManyStreams:
    'End another `postrider listen` or `deliveries --follow` with this token, or in this workspace.',
  StreamsDisabled: 'Ask the operator to publish outcomes; `postrider deliveries` works without them.',
  UnknownEventType: SEE_TYPES,
  EventTypeNotFound: SEE_TYPES,
  ReservedEventType:
    'Only Postrider itself publishes built-in types. Test an endpoint with `postrider endpoints test ID`.',
  PayloadTooLarge: 'Send less data; an event may have at most 256 KiB.',
  UpgradeInProgress: 'Try again once the upgrade is complete.',
  IdempotencyKeyInUse: WAIT,
  IdempotencyKeyReused: 'Give another --idempotency-key, or the same event as before.',
  RateLimited: WAIT,
  Unavailable: WAIT,
  Internal: REPORT,
};

/** The exit codes that do not follow from the status. */
const OWN_EXIT_CODES: Partial<Record<ProblemTag, ExitCode>> = {
  // No token permits it.
  ReservedEventType: EXIT_CODES.refused,
  // The service asks to wait for the first request with the key.
  IdempotencyKeyInUse: EXIT_CODES.unavailable,
  // Trying again does not help.
  StreamsDisabled: EXIT_CODES.refused,
};

/** The lines and the exit code of a failed command: tag, cause and next step. */
export function explainError(error: unknown): Explanation {
  if (error instanceof PostriderError) return explainProblem(error);
  if (error instanceof CommandError) {
    return { lines: [`${error.tag}: ${error.message}`, error.facts.next], exitCode: error.facts.exitCode };
  }
  if (error instanceof UnexpectedAnswer) return explainUnexpectedAnswer(error);
  if (error instanceof InvalidId) {
    return {
      lines: [`InvalidRequest: ${error.message}`, 'Give an id as the lists show it.'],
      exitCode: EXIT_CODES.misused,
    };
  }
  if (isConnectionFailure(error)) {
    return {
      lines: [
        `Unreachable: ${explainFetchError(error)}`,
        'Check the address of the api, and that it is running.',
      ],
      exitCode: EXIT_CODES.unavailable,
    };
  }
  return {
    lines: [
      `Internal: ${error instanceof Error ? error.message : String(error)}`,
      'This is a defect of `postrider`: report it with the output of `postrider --version`.',
    ],
    exitCode: EXIT_CODES.refused,
  };
}

export function printExplanation({ printError, paint }: Terminal, { lines }: Explanation): void {
  const [first = '', ...others] = lines;
  printError(paint('red', first));
  others.forEach(printError);
}

/** `fetch` throws a TypeError with a cause when there is no connection, or when it breaks. */
function isConnectionFailure(error: unknown): error is Error {
  if (!(error instanceof Error)) return false;
  return (error instanceof TypeError && error.cause !== undefined) || error.name === 'TimeoutError';
}

/** A proxy whose api is being restarted answers with a page of its own. */
function explainUnexpectedAnswer({ status, location }: UnexpectedAnswer): Explanation {
  if (location !== null) {
    return {
      lines: [`UnexpectedAnswer: the server redirects to ${location} (status ${status}).`, CHECK_URL],
      exitCode: EXIT_CODES.refused,
    };
  }
  const line = `UnexpectedAnswer: the server answered ${status} with something that is not from Postrider.`;
  return UNAVAILABLE_STATUSES.has(status)
    ? { lines: [line, WAIT], exitCode: EXIT_CODES.unavailable }
    : { lines: [line, CHECK_URL], exitCode: EXIT_CODES.refused };
}

function explainProblem({ tag, status, detail, errors, traceId }: PostriderError): Explanation {
  const mistakes = errors.map(({ path, message }) => `${path} ${message}`);
  const others = mistakes.filter((mistake) => !detail.includes(mistake)).map((mistake) => `  ${mistake}`);
  const lines = [`${tag}: ${detail}`, ...others, NEXT_STEPS[tag] ?? REPORT, `trace id ${traceId}`];
  return { lines, exitCode: OWN_EXIT_CODES[tag] ?? exitCodeOf(status) };
}

function exitCodeOf(status: number): ExitCode {
  if (status === 401 || status === 403) return EXIT_CODES.unauthorized;
  if (status === 404) return EXIT_CODES.notFound;
  if (UNAVAILABLE_STATUSES.has(status)) return EXIT_CODES.unavailable;
  return EXIT_CODES.refused;
}
