import type { Outcome } from '@postrider/shared/domain/judge';
import type { Dispatcher } from 'undici';
import { type BodyPrefix, createBodyPrefix } from './body-prefix.js';
import { outcomeOf } from './failure.js';

export interface ResponseHandlerOptions {
  /** Milliseconds for look-up, connect and headers together. */
  readonly deadlineMs: number;
  /** Milliseconds for the body, from the headers on. */
  readonly bodyDeadlineMs: number;
  readonly bodyLimitBytes: number;
  readonly monotonicMs: () => number;
}

/** An interim answer or two is normal; a flood of them would keep a core busy until the deadline. */
const MAX_INTERIM_ANSWERS = 64;

const TIMED_OUT: Outcome = { kind: 'unreachable', reason: 'timeout' };
const NONSENSE: Outcome = { kind: 'unreachable', reason: 'network' };
/** Only makes the client drop the connection: the outcome is settled by then. */
const ABANDONED = new Error('nothing more is wanted from this answer');

/** Moments of an exchange, monotonic, in milliseconds; null while it has not come so far. */
export interface Moments {
  /** The request went to a connection, a kept one or one that had to be made. */
  writtenAt: number | null;
  /** The final status was there. */
  answeredAt: number | null;
}

interface State {
  /** Null once it was called. */
  settle: ((outcome: Outcome, moments: Moments) => void) | null;
  readonly moments: Moments;
  readonly monotonicMs: () => number;
  timer: NodeJS.Timeout | undefined;
  /** Null until the request is written to a connection. */
  controller: Dispatcher.DispatchController | null;
  interimAnswers: number;
  /** Null until the final status is there. */
  httpStatus: number | null;
  readonly prefix: BodyPrefix;
}

/**
 * One request and its answer, as callbacks for the client. `settle` is called exactly once, whatever the receiver does.
 *
 * The client cannot abort what still connects, so the deadline settles by itself, and a connection that comes up
 * afterwards finds the request abandoned: it is never sent.
 */
export function createResponseHandler(
  limits: ResponseHandlerOptions,
  settle: (outcome: Outcome, moments: Moments) => void,
): Dispatcher.DispatchHandler {
  const prefix = createBodyPrefix(limits.bodyLimitBytes);
  const state: State = {
    settle,
    moments: { writtenAt: null, answeredAt: null },
    monotonicMs: limits.monotonicMs,
    timer: undefined,
    controller: null,
    interimAnswers: 0,
    httpStatus: null,
    prefix,
  };
  state.timer = setTimeout(giveUp, limits.deadlineMs, state, TIMED_OUT);
  return {
    onRequestStart: (controller) => {
      state.controller = controller;
      state.moments.writtenAt = state.monotonicMs();
      if (state.settle === null) controller.abort(ABANDONED);
    },
    onResponseStart: (_, status) => {
      if (status < 200) return countInterim(state);
      state.httpStatus = status;
      state.moments.answeredAt = state.monotonicMs();
      clearTimeout(state.timer);
      state.timer = setTimeout(giveUpBody, limits.bodyDeadlineMs, state);
    },
    onResponseData: (_, chunk) => {
      if (state.settle !== null && prefix.add(chunk)) takeNoMore(state);
    },
    onResponseEnd: () => finish(state, evidence(state, prefix.text())),
    onResponseError: (_, error) =>
      finish(state, state.httpStatus === null ? outcomeOf(error) : evidence(state, null)),
  };
}

function finish(state: State, outcome: Outcome): void {
  clearTimeout(state.timer);
  state.settle?.(outcome, state.moments);
  state.settle = null;
}

function giveUp(state: State, outcome: Outcome): void {
  finish(state, outcome);
  state.controller?.abort(ABANDONED);
}

/** The status alone decides when the body does not come. */
function giveUpBody(state: State): void {
  giveUp(state, evidence(state, null));
}

function countInterim(state: State): void {
  state.interimAnswers += 1;
  if (state.interimAnswers > MAX_INTERIM_ANSWERS) giveUp(state, NONSENSE);
}

/** Not at once: when the end of the body has arrived together with this chunk, the connection can be kept. */
function takeNoMore(state: State): void {
  finish(state, evidence(state, state.prefix.text()));
  queueMicrotask(() => state.controller?.abort(ABANDONED));
}

function evidence({ httpStatus }: State, responseBody: string | null): Outcome {
  return httpStatus === null ? NONSENSE : { kind: 'answered', httpStatus, responseBody };
}
