/** Why an access token was refused; the label of the metric. */
export type RefusedReason = keyof typeof DETAILS | 'keys_unavailable' | 'member' | 'scope';

/** The detail of the refusal. */
const DETAILS = {
  malformed: 'The access token is not a signed JWT.',
  algorithm: 'The access token is signed with an algorithm that is not accepted.',
  key: 'The access token is signed with a key that the authorization server does not have.',
  signature: 'The signature of the access token is wrong.',
  expired: 'The access token has expired.',
  not_yet_valid: 'The access token is not valid yet.',
  issuer: 'The access token is from another authorization server.',
  audience: 'The access token was issued for another resource.',
  type: 'This JWT is not an access token that a bearer may use.',
  claims: 'The access token lacks a claim that it needs, or has one of the wrong type.',
} as const;

/** An access token that does not authenticate its sender. */
export class RefusedToken extends Error {
  constructor(readonly reason: keyof typeof DETAILS) {
    super(DETAILS[reason]);
  }
}
