export type Labels = Readonly<Record<string, string>>;

export interface Selector {
  readonly matchLabels?: Labels;
  readonly matchExpressions?: readonly Expression[];
}

export interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

export interface Port {
  /** Without one, or with null, it is every port. */
  readonly port?: number | string | null;
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

/** The `spec` of a network policy, as far as the tests evaluate it. */
export interface PolicySpec {
  readonly podSelector: Selector;
  readonly policyTypes: readonly ('Ingress' | 'Egress')[];
  readonly ingress?: readonly Rule[];
  readonly egress?: readonly Rule[];
}

/** Whether a selector selects something with these labels. Of the operators of expressions, only `In` is supported. */
export function selects(
  { matchLabels = {}, matchExpressions = [], ...others }: Selector,
  labels: Labels,
): boolean {
  if (Object.keys(others).length > 0 || matchExpressions.some(({ operator }) => operator !== 'In'))
    throw new Error('only selectors by labels and by the operator In are supported');
  return (
    Object.entries(matchLabels).every(([name, value]) => labels[name] === value) &&
    matchExpressions.every(({ key, values = [] }) => values.includes(labels[key] ?? ''))
  );
}
