import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { runProgram } from '../src/run-program.js';

const SESSION = {
  tokenId: 'tok_1',
  workspace: { slug: 'acme', name: 'Acme' },
  permissions: ['webhook:list'],
  expiresAt: null,
};

interface Answer {
  readonly status?: number;
  readonly body: object;
}

/** The answer to a method, a path below the workspace with its query, and headers. */
export type Answers = (method: string, url: URL, headers: IncomingHttpHeaders) => Answer;

/** A refusal as the api makes it. */
export const refusal = (tag: string, status: number): Answer => ({
  status,
  body: {
    type: `urn:postrider:problem:${tag}`,
    title: tag,
    status,
    tag,
    detail: 'No.',
    traceId: 'a'.repeat(32),
  },
});

export interface FakeApi {
  readonly url: string;
  /** The authorization of each request, also of those for the session. */
  readonly authorizations: (string | undefined)[];
  stop(): void;
}

/** @param limits of the token, in its session */
export async function startFakeApi(answers: Answers, limits: object = {}): Promise<FakeApi> {
  const authorizations: (string | undefined)[] = [];
  const server = createServer(({ method = '', url = '', headers }, response) => {
    authorizations.push(headers.authorization);
    const target = new URL(url, 'http://api');
    const isSession = target.pathname === '/session';
    target.pathname = target.pathname.replace('/workspaces/acme', '');
    const { status = 200, body } = isSession
      ? { body: { ...SESSION, ...limits } }
      : answers(method, target, headers);
    response.writeHead(status, {
      'content-type': status < 400 ? 'application/json' : 'application/problem+json',
    });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    authorizations,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

interface Surroundings {
  readonly env?: NodeJS.ProcessEnv;
  readonly stdin?: Readable & { readonly isTTY?: boolean };
  /** The stream for a progress bar. */
  readonly bar?: NodeJS.WritableStream | null;
}

/** Runs the program without a profile, and returns what it printed, with what it notes for a person. */
export async function runIn(
  { env = {}, stdin = Readable.from(['']), bar = null }: Surroundings,
  ...args: readonly string[]
) {
  const out: string[] = [];
  const err: string[] = [];
  const notes: string[] = [];
  const terminal = {
    isInteractive: false,
    print: (line: string) => void out.push(line),
    printError: (line: string) => void err.push(line),
    note: (line: string) => void notes.push(line),
    paint: (_: string, text: string) => text,
    ...(bar !== null && { bar }),
  };
  const surroundings = { env: { XDG_CONFIG_HOME: '/does/not/exist', ...env }, terminal, stdin };
  return { code: await runProgram(args, surroundings), out, err, notes };
}

/** Runs the program as a script does, against an api with these answers. */
export function runAgainst(answers: Answers, ...args: readonly string[]) {
  return runWatched(null, answers, ...args);
}

/** Runs the program with a stream for its progress bar. */
export async function runWatched(
  bar: NodeJS.WritableStream | null,
  answers: Answers,
  ...args: readonly string[]
) {
  const api = await startFakeApi(answers);
  try {
    return await runIn({ env: { POSTRIDER_URL: api.url, POSTRIDER_TOKEN: 'prt_1' }, bar }, ...args);
  } finally {
    api.stop();
  }
}
