import { isPublicKey, type SignatureProblem } from '@postrider/client';
import { texts } from '../texts/en.js';

/** What is wrong and what to do about it. @param secret what was checked; it may be a public key */
export function describeProblem(problem: SignatureProblem, secret: string): string {
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
    case 'no_supported_signature':
      return isPublicKey(secret) ? problems.no_signature_of_public_key : problems.no_supported_signature;
    case 'malformed_secret':
      return isPublicKey(secret) ? problems.malformed_public_key : problems.malformed_secret;
    case 'malformed_timestamp':
    case 'wrong_secret_or_content':
      return problems[problem.kind];
  }
}
