/**
 * Caches the result of an asynchronous function per key. Concurrent calls share one execution; failures are not cached.
 */
export function memoizeAsync<Key, Value>(load: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const results = new Map<Key, Promise<Value>>();
  return (key) => {
    const cached = results.get(key);
    if (cached !== undefined) return cached;
    const loading = load(key);
    results.set(key, loading);
    loading.catch(() => results.delete(key));
    return loading;
  };
}
