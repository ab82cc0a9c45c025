const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The two largest units of a duration, for example `2 h 5 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  const largest = UNITS.findIndex(([, size]) => seconds >= size);
  if (largest === -1) return '0 s';
  let rest = seconds;
  return UNITS.slice(largest, largest + 2)
    .map(([name, size]) => {
      const count = Math.floor(rest / size);
      rest -= count * size;
      return count === 0 ? '' : `${count} ${name}`;
    })
    .filter((part) => part !== '')
    .join(' ');
}
