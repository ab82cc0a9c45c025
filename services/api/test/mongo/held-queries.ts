/** Queries that end only when the test releases them. @param answer what a query returns */
export function heldQueries<Asked, Answer>(answer: (asked: Asked, number: number) => Answer) {
  const queries: { readonly asked: Asked; readonly release: () => void }[] = [];
  return {
    queries,
    ask: (asked: Asked) =>
      new Promise<Answer>((resolve) => {
        const number = queries.length;
        queries.push({ asked, release: () => resolve(answer(asked, number)) });
      }),
    /** Resolves once there is a query with this number. */
    async query(number: number) {
      while (queries[number] === undefined) await new Promise(setImmediate);
      return queries[number];
    },
  };
}
