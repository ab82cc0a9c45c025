const number = (value: number) => value.toLocaleString('en');

export const optionTexts = {
  options: {
    title: 'Delivery options',
    edit: 'Edit options',
    none: 'None',
    filter: 'Filter',
    noFilter: 'None: every event of the subscribed types is delivered',
    filterHint:
      'JSON: dotted paths of the payload, each with a list of values or conditions, such as {"plan": ["team"], "amount": [{"gte": 100}]}. Leave empty for no filter.',
    preview: 'Preview of the filter',
    matching: (matching: number, of: number) =>
      of === 1
        ? `The only recent event of the subscribed types would ${matching === 1 ? '' : 'not '}be delivered.`
        : `${number(matching)} of the ${number(of)} latest events of the subscribed types would be delivered.`,
    noEvents: 'There are no recent events of the subscribed types to try the filter on.',
    delivered: 'Delivered',
    leftOut: 'Filtered out',
    headers: 'Static headers',
    headersHint: 'Sent with every request and stored encrypted. Their values are never shown again.',
    headersNow: (names: string) => `Static headers (${names})`,
    headerChanges: { keep: 'Keep them', replace: 'Replace them all', remove: 'Remove them all' },
    rate: 'Requests per second',
    rateHint: 'From 1 to 1,000. Leave empty for no limit. Deliveries over the limit wait.',
    noLimit: 'No limit',
    perSecond: (rate: number) => `At most ${number(rate)}`,
    signing: 'Signature',
    signings: { 'hmac-sha256': 'HMAC-SHA256 with a secret', ed25519: 'Ed25519 with a public key' },
    signingHints: {
      'hmac-sha256':
        'A new secret is created when you save. Rotate it afterwards to see it. For 24 hours deliveries carry both kinds of signature.',
      ed25519:
        'A new key pair is created when you save. For 24 hours deliveries carry both kinds of signature.',
    },
    publicKey: 'Public key',
    metadata: 'Metadata',
    metadataHint: 'Names and values for your own use. They are never sent to receivers.',
    repeated: 'A name occurs twice.',
    noReplacement: 'Add a header, or choose to remove them all.',
    wholeNumber: 'Enter a whole number.',
    invalidJson: (message: string) => `This is not valid JSON. ${message}`,
  },
  pairs: {
    name: (position: number) => `Name ${position}`,
    value: (position: number) => `Value ${position}`,
    remove: 'Remove',
    add: (label: string) => `Add to ${label.toLowerCase()}`,
  },
} as const;
