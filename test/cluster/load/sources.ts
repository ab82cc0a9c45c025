/** One kind of call that leads to an event. */
export interface Source {
  /** Below the workspace. */
  readonly path: string;
  readonly body: object;
  /** The answer to an accepted call. */
  readonly status: number;
  /** By which ids the receiver recognises what the answer to a call accepted. */
  idsIn(answer: unknown): string[];
}

/** Events of the installation's own types. */
export const OWN_EVENTS: Source = {
  path: 'events',
  body: {
    type: 'invoice.paid',
    data: { invoiceId: 'in_4f9k2', customer: { id: 'cus_81' }, amount: 4_200, currency: 'EUR' },
  },
  status: 202,
  idsIn: (answer) => [(answer as { eventId: string }).eventId],
};

/** Events that every version has. */
export const TOKEN_EVENTS: Source = {
  path: 'api-tokens',
  body: { name: 'load', scopes: ['read'] },
  status: 201,
  idsIn: (answer) => [(answer as { id: string }).id],
};
