/** As many digits as anybody needs: three, or all before the point. */
export function formatNumber(value: number | null): string {
  if (value === null) return '–';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : 2;
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
