import { ANY_CONCERN } from '../health/concerns.js';
import { ENDPOINT_STATES } from '../health/state-name.js';
import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { classNames } from '../ui/class-names.js';
import styles from '../ui/filter-bar.module.css';
import { TextField } from '../ui/text-field.js';
import { withGiven } from '../ui/with-given.js';
import type { EndpointFilter } from './endpoint-filter.js';

interface FiltersProps {
  readonly draft: EndpointFilter;
  onChange(draft: EndpointFilter): void;
}

const STATES = [
  { value: '', label: texts.endpoints.anyState },
  { value: ANY_CONCERN, label: texts.overview.attention },
  ...ENDPOINT_STATES.map((value) => ({ value, label: texts.endpoints.states[value] })),
];

export function EndpointFilters({ draft, onChange }: FiltersProps) {
  const { state = '' } = draft;
  return (
    <search className={classNames(styles.filters, styles.fields)} aria-label={texts.deliveries.filters}>
      <TextField
        label={texts.endpoints.search}
        value={draft.text ?? ''}
        onChange={(text) => onChange({ ...draft, text })}
      />
      <Choice
        label={texts.endpoints.state}
        value={state}
        options={withGiven(state, STATES)}
        onChange={(chosen) => onChange({ ...draft, state: chosen })}
      />
      <TextField
        label={texts.endpoints.metadata}
        placeholder="customer:acme"
        value={draft.metadata ?? ''}
        onChange={(metadata) => onChange({ ...draft, metadata })}
      />
    </search>
  );
}
