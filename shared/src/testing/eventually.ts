const PAUSE_MS = 25;

/** Tries an assertion again and again until it holds. @throws its last failure when `withinMs` have passed */
export async function eventually<T>(assertion: () => T | Promise<T>, withinMs = 15_000): Promise<T> {
  const until = performance.now() + withinMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
