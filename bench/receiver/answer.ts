/** How an endpoint answers, written as one segment of its URL's path. */
export type Answer =
  | { readonly kind: 'after'; readonly delayMs: number }
  /** Takes the request and never answers. */
  | { readonly kind: 'never' }
  /** Answers 500 to the first POSTs of every delivery, then 200. */
  | { readonly kind: 'fail'; readonly times: number };

export function formatAnswer(answer: Answer): string {
  switch (answer.kind) {
    case 'after':
      return `after-${answer.delayMs}`;
    case 'never':
      return 'never';
    case 'fail':
      return `fail-${answer.times}`;
  }
}

/** @throws Error for what `formatAnswer` does not write */
export function parseAnswer(text: string): Answer {
  if (text === 'never') return { kind: 'never' };
  const [, kind, number] = /^(after|fail)-(\d+)$/.exec(text) ?? [];
  if (kind === 'after') return { kind, delayMs: Number(number) };
  if (kind === 'fail') return { kind, times: Number(number) };
  throw new Error(`"${text}" is no answer`);
}
