/** Puts the prefix before a topic or consumer group name, and takes it off. */
export interface TopicNames {
  full(name: string): string;
  bare(full: string): string;
}

export function createTopicNames(prefix: string): TopicNames {
  return { full: (name) => `${prefix}${name}`, bare: (full) => full.slice(prefix.length) };
}
