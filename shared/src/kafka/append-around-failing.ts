import { withTimeout } from '../runtime/with-timeout.js';
import {
  type Addressed,
  type Append,
  type AppendMost,
  byTopic,
  type Divide,
  type Failure,
  type Group,
  isRefusal,
} from './append.js';

interface AroundFailingParts {
  readonly append: Append;
  readonly divide: Divide;
}

/** A partition whose last try failed. */
interface Failing {
  error: unknown;
  /** When it failed, in milliseconds of a monotonic clock. */
  failedMs: number;
  isBeingTried: boolean;
}

/** Time limit of a try, in milliseconds: longer than an append takes on a busy broker. Messages may still be appended later. */
const TRY_MS = 1_000;
/** A partition without a failed try for this long, in milliseconds, is treated like all others again. */
const FORGET_MS = 60_000;

/**
 * Appends messages so that failing partitions do not delay others: once all tries of a partition have failed, its messages get
 * one try, on their own and beside the others, and none while another try of the partition is in progress. Its callers try them
 * again later. The first try that succeeds ends that.
 */
export function appendAroundFailing(
  appendMost: AppendMost,
  { append, divide }: AroundFailingParts,
): AppendMost {
  const failing = new Map<string, Failing>();
  const note = ({ group, error }: Failure) => {
    if (isRefusal(error)) failing.delete(group.key);
    else failing.set(group.key, { error, failedMs: performance.now(), isBeingTried: false });
  };
  const forgetOld = () => {
    const before = performance.now() - FORGET_MS;
    for (const [key, { failedMs, isBeingTried }] of failing)
      if (!isBeingTried && failedMs < before) failing.delete(key);
  };
  const tryOnce = async (group: Group, state: Failing): Promise<readonly Failure[]> => {
    const left = [{ group, error: state.error }];
    if (state.isBeingTried) return left;
    state.isBeingTried = true;
    const tried = append(byTopic(group.messages)).then(
      () => {
        failing.delete(group.key);
        return [];
      },
      (error: unknown) => {
        note({ group, error });
        return [{ group, error }];
      },
    );
    return withTimeout(tried, TRY_MS, async () => left);
  };
  const appendToWorking = async (messages: readonly Addressed[]) => {
    const failures = await appendMost(messages);
    failures.forEach(note);
    return failures;
  };
  return async (messages) => {
    if (failing.size > 0) forgetOld();
    if (failing.size === 0) return appendToWorking(messages);
    const groups = divide(messages).map((group) => ({ group, state: failing.get(group.key) }));
    const tries = groups.flatMap(({ group, state }) => (state === undefined ? [] : [tryOnce(group, state)]));
    const working = groups.flatMap(({ group, state }) => (state === undefined ? group.messages : []));
    if (working.length > 0) tries.push(appendToWorking(working));
    return (await Promise.all(tries)).flat();
  };
}
