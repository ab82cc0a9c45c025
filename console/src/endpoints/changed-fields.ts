/**
 * The entered fields that differ from those with which a form began. Only they are sent: what was changed elsewhere
 * meanwhile stays.
 */
export function changedFields<Fields extends object>(began: Fields, entered: Fields): Partial<Fields> {
  const names = Object.keys(entered) as (keyof Fields)[];
  const changed = names.filter((name) => JSON.stringify(entered[name]) !== JSON.stringify(began[name]));
  return Object.fromEntries(changed.map((name) => [name, entered[name]])) as Partial<Fields>;
}
