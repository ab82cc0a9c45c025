/** An address can have several values, or ones of another version: they stay selected as they are. */
export function withGiven(value: string, options: readonly { value: string; label: string }[]) {
  const labelOf = (part: string) => options.find((option) => option.value === part)?.label ?? part;
  return options.some((option) => option.value === value)
    ? options
    : [...options, { value, label: value.split(',').map(labelOf).join(', ') }];
}
