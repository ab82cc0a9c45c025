/** Whether filters that were read from an address would not change it. Their names are always in the same order. */
export function isSameFilter(one: object, other: object): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
