import type { Outcome } from '@postrider/shared/domain/judge';
import type { Dispatcher } from 'undici';
import { type BodyPrefix, createBodyPrefix } from './body-prefix.js';
import { NotWritten, outcomeOf } from './failure.js';

export interface ResponseHandlerOptions {
  /** Milliseconds for lookup, connect and headers together. */
  readonly deadlineMs: number;
  /** Milliseconds for the body, from the headers on. */
  readonly bodyDeadlineMs: number;
  readonly bodyLimitBytes: number;
  readonly monotonicMs: () => number;
}

/** Maximum number of 1xx responses: a flood of them would keep a core busy until the deadline. */
const MAX_INTERIM_RESPONSES = 64;

const TIMED_OUT: Outcome = { kind: 'unreachable', reason: 'timeout' };
const NETWORK_ERROR: Outcome = { kind: 'unreachable', reason: 'network' };
/** Makes the client drop the connection. The outcome is settled by then. */
const ABORTED = new Error('the rest of the response is not needed');

/** Monotonic times in milliseconds; null until they are reached. */
export interface Moments {
  /** When the request was written to a connection, reused or new. */
  writtenAt: number | null;
  /** When the final status arrived. */
  answeredAt: number | null;
}

/** @param error the reason of an outcome without a response, if there is one */
export type Settle = (outcome: Outcome, moments: Moments, error?: unknown) => void;

interface State {
  /** Null after it was called. */
  settle: Settle | null;
  readonly moments: Moments;
  readonly monotonicMs: () => number;
  timer: NodeJS.Timeout | undefined;
  /** Set while a deadline has passed and what arrived by then is being read. */
  reading: NodeJS.Immediate | undefined;
  /** Null until the request is written to a connection, and once the outcome is settled. */
  controller: Dispatcher.DispatchController | null;
  interimResponses: number;
  /** Null until the final status arrives. */
  httpStatus: number | null;
  /** Null once the outcome is settled. */
  prefix: BodyPrefix | null;
}

/**
 * Handles the response of one request. Calls `settle` exactly once, whatever the receiver does.
 *
 * A request that is still connecting cannot be aborted here. The deadline settles it, and if the connection is established
 * afterwards the request is aborted before it is sent.
 *
 * While the event loop is blocked, deadlines pass, and then timers run before anything that arrived meanwhile is read. A
 * deadline therefore settles the outcome one turn of the event loop later, unless a response is read by then.
 */
export function createResponseHandler(
  limits: ResponseHandlerOptions,
  settle: Settle,
): Dispatcher.DispatchHandler {
  const state: State = {
    settle,
    moments: { writtenAt: null, answeredAt: null },
    monotonicMs: limits.monotonicMs,
    timer: undefined,
    reading: undefined,
    controller: null,
    interimResponses: 0,
    httpStatus: null,
    prefix: createBodyPrefix(limits.bodyLimitBytes),
  };
  startDeadline(state, limits.deadlineMs, giveUpHeaders);
  return {
    onRequestStart: (controller) => {
      if (state.reading !== undefined) finish(state, TIMED_OUT, new NotWritten());
      if (state.settle === null) return controller.abort(ABORTED);
      state.moments.writtenAt = state.monotonicMs();
      state.controller = controller;
    },
    onResponseStart: (_, status) => {
      if (status < 200) return countInterim(state);
      state.httpStatus = status;
      state.moments.answeredAt = state.monotonicMs();
      startDeadline(state, limits.bodyDeadlineMs, giveUpBody);
    },
    onResponseData: (_, chunk) => {
      if (state.prefix?.add(chunk)) stopReading(state);
    },
    onResponseEnd: () => finish(state, completeAnswerOf(state)),
    onResponseError: (_, error) =>
      finish(state, state.httpStatus === null ? outcomeOf(error) : answerOf(state, null), error),
  };
}

/** Replaces the deadline before it. */
function startDeadline(state: State, ms: number, giveUpNow: (state: State) => void): void {
  endDeadline(state);
  state.timer = setTimeout(readFirst, ms, state, giveUpNow);
}

function readFirst(state: State, giveUpNow: (state: State) => void): void {
  state.reading = setImmediate(giveUpNow, state);
}

function endDeadline(state: State): void {
  clearTimeout(state.timer);
  clearImmediate(state.reading);
  state.reading = undefined;
}

/**
 * Settles the outcome and forgets the request: the state often stays in memory until a full garbage collection, and would
 * keep the request and its response with it.
 */
function finish(state: State, outcome: Outcome, error?: unknown): void {
  endDeadline(state);
  const { settle } = state;
  state.settle = null;
  state.controller = null;
  state.prefix = null;
  settle?.(outcome, state.moments, error);
}

function giveUp(state: State, outcome: Outcome): void {
  const { controller } = state;
  finish(state, outcome);
  controller?.abort(ABORTED);
}

function giveUpHeaders(state: State): void {
  giveUp(state, TIMED_OUT);
}

/** The outcome has no body if the body takes too long. */
function giveUpBody(state: State): void {
  giveUp(state, answerOf(state, null));
}

function countInterim(state: State): void {
  state.interimResponses += 1;
  if (state.interimResponses > MAX_INTERIM_RESPONSES) giveUp(state, NETWORK_ERROR);
}

/** Aborts in a microtask: if the end of the body arrived together with this chunk, the connection can be reused. */
function stopReading(state: State): void {
  const { controller } = state;
  finish(state, completeAnswerOf(state));
  queueMicrotask(() => controller?.abort(ABORTED));
}

function completeAnswerOf(state: State): Outcome {
  return answerOf(state, state.prefix?.text() ?? null);
}

function answerOf({ httpStatus }: State, responseBody: string | null): Outcome {
  return httpStatus === null ? NETWORK_ERROR : { kind: 'answered', httpStatus, responseBody };
}
