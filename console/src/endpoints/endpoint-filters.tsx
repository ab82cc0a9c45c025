import { ENDPOINT_STATES } from '../health/state-name.js';
import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { classNames } from '../ui/class-names.js';
import styles from '../ui/filter-bar.module.css';
import { TextField } from '../ui/text-field.js';
import type { EndpointFilter } from './endpoint-filter.js';

interface FiltersProps {
  readonly filter: EndpointFilter;
  onChange(filter: EndpointFilter): void;
}

export function EndpointFilters({ filter, onChange }: FiltersProps) {
  return (
    <search className={classNames(styles.filters, styles.fields)} aria-label={texts.deliveries.filters}>
      <TextField
        label={texts.endpoints.search}
        value={filter.text}
        onChange={(text) => onChange({ ...filter, text })}
      />
      <Choice
        label={texts.endpoints.state}
        value={filter.state}
        options={[
          { value: '', label: texts.endpoints.anyState },
          ...ENDPOINT_STATES.map((value) => ({ value, label: texts.endpoints.states[value] })),
        ]}
        onChange={(state) => onChange({ ...filter, state })}
      />
      <TextField
        label={texts.endpoints.metadata}
        placeholder="customer:acme"
        value={filter.metadata}
        onChange={(metadata) => onChange({ ...filter, metadata })}
      />
    </search>
  );
}
