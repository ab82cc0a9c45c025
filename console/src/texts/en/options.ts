const number = (value: number) => value.toLocaleString('en');

export const optionTexts = {
  options: {
    title: 'Delivery options',
    edit: 'Edit options',
    none: 'None',
    filter: 'Filter',
    noFilter: 'None: every event of its types is delivered',
    filterHint:
      'JSON: dotted paths of the payload, each with a list of values or conditions, such as {"plan": ["team"], "amount": [{"gte": 100}]}. Empty for no filter.',
    preview: 'Preview of the filter',
    matching: (matching: number, of: number) =>
      `${number(matching)} of the ${number(of)} latest events of its types would be delivered.`,
    noEvents: 'There is no recent event of its types to try the filter with.',
    delivered: 'Delivered',
    leftOut: 'Left out',
    headers: 'Static headers',
    headersHint: 'Sent with every request and stored encrypted. Their values are never shown again.',
    headersNow: (names: string) => `Static headers (${names})`,
    headerChanges: { keep: 'Keep them', replace: 'Replace them all', remove: 'Remove them all' },
    rate: 'Requests per second',
    rateHint: 'From 1 to 1,000. Empty for no limit. Deliveries beyond it wait.',
    noLimit: 'No limit',
    perSecond: (rate: number) => `At most ${number(rate)}`,
    signing: 'Signature',
    signings: { 'hmac-sha256': 'HMAC-SHA256 with a secret', ed25519: 'Ed25519 with a public key' },
    signingHint: 'A new key is made when you save. For 24 hours both kinds sign.',
    publicKey: 'Public key',
    metadata: 'Metadata',
    metadataHint: 'Names and texts for your own use. They are sent to no receiver.',
    repeated: 'A name occurs twice.',
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
