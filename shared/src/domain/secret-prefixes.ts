/** Every kind of secret that Postrider gives out, and the prefix by which logs recognise and redact it. */
export const SECRET_PREFIXES = {
  apiToken: 'prt_',
  invitation: 'pri_',
  signingSecret: 'whsec_',
  /** The private half of an ed25519 key pair. */
  privateKey: 'whsk_',
} as const;
