// Written by "postrider-client generate" from the OpenAPI document of a Postrider installation. Do not edit.

/** The data of custom events, by event type. */
export type CustomEvents = {
  /** An invoice was paid in full. */
  readonly 'invoice.paid': {
    /** The invoice */
    readonly invoiceId: string;
    readonly customer: {
      readonly id: string;
      readonly email?: string;
    };
    /** In the smallest unit of the currency */
    readonly amount: number;
    /** ISO 4217 */
    readonly currency: string;
    readonly lines?: readonly {
      readonly description: string;
      readonly amount: number;
    }[];
    /** Whatever the customer attached */
    readonly metadata?: Readonly<Record<string, string>>;
  };
  /** An order left the warehouse, as a whole or in part. */
  readonly 'order.shipped': {
    readonly orderId: string;
    readonly carrier: 'dhl' | 'fedex' | 'ups' | 'other';
    readonly trackingUrl?: string;
    readonly shippedAt?: string;
    readonly items: readonly {
      readonly sku: string;
      readonly quantity: number;
    }[];
  };
  /** A user changed their profile. */
  readonly 'user.profile.updated': {
    readonly userId: string;
    readonly changed: readonly ('name' | 'email' | 'locale' | 'avatar')[];
    readonly profile?: {
      readonly name?: string;
      readonly locale?: string;
    };
  };
};
