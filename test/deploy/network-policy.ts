export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly matchLabels?: Labels;
}

export interface Port {
  readonly port?: number | string;
  readonly endPort?: number;
  readonly protocol?: string;
}

export interface Block {
  readonly cidr: string;
  readonly except?: readonly string[];
}

export interface Peer {
  readonly podSelector?: Selector;
  readonly namespaceSelector?: Selector;
  readonly ipBlock?: Block;
}

export interface Rule {
  readonly ports?: readonly Port[];
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
}

/** The `spec` of a network policy, as far as the tests evaluate it: selectors by labels. */
export interface PolicySpec {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}
