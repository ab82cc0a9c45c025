export const playgroundTexts = {
  playground: {
    title: 'Signature check',
    subtitle: 'Finds out why a verification fails. Everything stays in this browser.',
    secret: 'Signing secret',
    secretDescription:
      'It starts with whsec_, and the public key of Ed25519 with whpk_. It is neither stored nor sent.',
    headers: 'Received headers',
    headersDescription: 'One per line, as name: value. The three webhook headers are enough.',
    body: 'Received body',
    bodyDescription: 'Exactly as your receiver read it, before it parsed it.',
    check: 'Check',
    insecure:
      'Browsers verify signatures only on pages that were loaded over HTTPS or from localhost. Open the console over HTTPS, or use postrider verify.',
    unsupported:
      'This browser cannot verify signatures with a public key. Use a current one, or postrider verify.',
    valid: 'The signature is valid.',
    invalid: 'The signature is not valid.',
    problems: {
      missing_header: (header: string) =>
        `The header ${header} is missing. A proxy or framework may have dropped it.`,
      malformed_secret:
        'The secret is not valid: it must be whsec_ followed by base64, exactly as it was shown when it was rotated.',
      malformed_public_key:
        'The public key is not valid: it must be whpk_ followed by 32 bytes in base64, as the page of the endpoint shows it.',
      malformed_timestamp: 'The header webhook-timestamp is not a number of seconds since 1970.',
      too_old: (seconds: number) =>
        `The timestamp is ${seconds} seconds old. Receivers accept five minutes: check the clock of the receiver, or use a recent delivery.`,
      in_future: (seconds: number) =>
        `The timestamp is ${seconds} seconds in the future: the clock of the receiver is slow.`,
      no_supported_signature:
        'The header webhook-signature has no signature that starts with v1, and is Base64. For v1a signatures, use the public key of the endpoint, whpk_….',
      no_signature_of_public_key:
        'The header webhook-signature has no signature that starts with v1a, and is Base64. For v1 signatures, use the signing secret, whsec_….',
      wrong_secret_or_content:
        'No signature matches this secret and body. Use the secret of this endpoint; after a rotation the previous one is valid for 24 hours. Check that the body is complete.',
      reformatted_json:
        'The body was parsed and re-serialized before it was verified. Verify the raw bytes, then parse them.',
      added_whitespace:
        'Whitespace was added to the body, often a line break at its end. Verify the raw bytes.',
      wrong_character_encoding:
        'The body was read with the wrong character encoding. Read it as UTF-8, or verify the raw bytes.',
    },
  },
} as const;
