import { EndpointField } from '../endpoint-names/endpoint-field.js';
import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { FilterBar } from '../ui/filter-bar.js';
import { MomentField } from '../ui/moment-field.js';
import { TextField } from '../ui/text-field.js';
import { useFilterDraft } from '../ui/use-filter-draft.js';
import { withGiven } from '../ui/with-given.js';
import { type DeliveryFilter, readDeliveryFilter, STATUSES } from './delivery-filter.js';
import { ReasonChoice } from './reason-choice.js';

interface DeliveryFiltersProps {
  readonly filter: DeliveryFilter;
  onChange(filter: DeliveryFilter): void;
}

const FREQUENT = ['eventType'] as const;
const RARE = ['eventId', 'traceId', 'httpStatus'] as const;
const TIMES = ['createdAfter', 'createdBefore'] as const;

export function DeliveryFilters({ filter, onChange }: DeliveryFiltersProps) {
  const [draft, setDraft] = useFilterDraft(filter);
  const change = (name: keyof DeliveryFilter) => (value: string) => setDraft({ ...draft, [name]: value });
  const fields = (names: readonly (typeof FREQUENT | typeof RARE)[number][]) =>
    names.map((name) => (
      <TextField
        key={name}
        label={texts.deliveries.filterNames[name]}
        value={draft[name] ?? ''}
        onChange={change(name)}
      />
    ));
  return (
    <FilterBar
      label={texts.deliveries.filters}
      more={
        <>
          {fields(RARE)}
          {TIMES.map((name) => (
            <MomentField
              key={name}
              label={texts.deliveries.filterNames[name]}
              value={draft[name] ?? ''}
              onChange={change(name)}
            />
          ))}
        </>
      }
      isMoreOpen={[...RARE, ...TIMES].some((name) => filter[name] !== undefined)}
      onApply={() => onChange(readDeliveryFilter(draft))}
      onClear={() => {
        setDraft({});
        onChange({});
      }}
    >
      <StatusChoice value={draft.status ?? ''} onChange={change('status')} />
      <ReasonChoice
        filter={readDeliveryFilter(draft)}
        onChange={(reasons) => setDraft({ ...draft, ...reasons })}
      />
      <EndpointField
        label={texts.deliveries.filterNames.endpointId}
        value={draft.endpointId ?? ''}
        onChange={change('endpointId')}
      />
      {fields(FREQUENT)}
    </FilterBar>
  );
}

interface StatusChoiceProps {
  readonly value: string;
  onChange(value: string): void;
}

function StatusChoice({ value, onChange }: StatusChoiceProps) {
  const known = [...STATUSES].map((name) => ({ value: name, label: texts.deliveries.statuses[name] }));
  return (
    <Choice
      label={texts.deliveries.status}
      value={value}
      options={withGiven(value, [{ value: '', label: texts.deliveries.anyStatus }, ...known])}
      onChange={onChange}
    />
  );
}
