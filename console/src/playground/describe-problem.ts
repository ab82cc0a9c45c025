import type { SignatureProblem } from '@postrider/client';
import { texts } from '../texts/en.js';

/** What is wrong and what to do about it. */
export function describeProblem(problem: SignatureProblem): string {
  const { problems } = texts.playground;
  switch (problem.kind) {
    case 'missing_header':
      return problems.missing_header(problem.header);
    case 'timestamp_outside_tolerance':
      return problem.ageSeconds > 0
        ? problems.too_old(problem.ageSeconds)
        : problems.in_future(-problem.ageSeconds);
    case 'body_changed':
      return problems[problem.change];
    case 'malformed_secret':
    case 'malformed_timestamp':
    case 'no_supported_signature':
    case 'wrong_secret_or_content':
      return problems[problem.kind];
  }
}
