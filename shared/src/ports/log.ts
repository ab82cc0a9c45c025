/** What the rules of the business may log: facts first, then a sentence. The logger of the runtime fits. */
export interface Log {
  debug(facts: object, sentence: string): void;
  info(facts: object, sentence: string): void;
  warn(facts: object, sentence: string): void;
  /** Only where a person must act. */
  error(facts: object, sentence: string): void;
}
