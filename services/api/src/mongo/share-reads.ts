import { coalesce } from '@postrider/shared/runtime/coalesce';
import { answerInTime } from './answer-in-time.js';

interface SharedRead<T> {
  readonly request: (key: string) => Promise<T>;
  callers: number;
}

/**
 * Shares an expensive read among concurrent requests. One read runs at a time for each key; requests that arrive meanwhile share
 * the next one, which starts after all of them have arrived, so each sees all changes that were acknowledged before its arrival.
 */
export function shareReads<T>(
  read: (key: string) => Promise<T>,
  withinMs?: number,
): (key: string) => Promise<T> {
  const reads = new Map<string, SharedRead<T>>();
  const start = (key: string): SharedRead<T> => {
    const started = { request: coalesce<string, T>(() => answerInTime(read(key), withinMs)), callers: 0 };
    reads.set(key, started);
    return started;
  };
  return async (key) => {
    const shared = reads.get(key) ?? start(key);
    shared.callers += 1;
    try {
      return await shared.request(key);
    } finally {
      shared.callers -= 1;
      if (shared.callers === 0) reads.delete(key);
    }
  };
}
