import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { FilterBar } from '../ui/filter-bar.js';
import { MomentField } from '../ui/moment-field.js';
import { TextField } from '../ui/text-field.js';
import { useFilterDraft } from '../ui/use-filter-draft.js';
import { ACTIONS, type AuditFilter, type AuditFilterName, readAuditFilter } from './audit-filter.js';

interface AuditFiltersProps {
  readonly filter: AuditFilter;
  onChange(filter: AuditFilter): void;
}

const TIMES = ['createdAfter', 'createdBefore'] as const;

export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const [draft, setDraft] = useFilterDraft(filter);
  const change = (name: AuditFilterName) => (value: string) => setDraft({ ...draft, [name]: value });
  const field = (name: 'actorId' | 'targetId') => (
    <TextField
      key={name}
      label={texts.auditLog.filterNames[name]}
      value={draft[name] ?? ''}
      onChange={change(name)}
    />
  );
  const actions = [...new Set([...ACTIONS, ...(draft.action === undefined ? [] : [draft.action])])];
  return (
    <FilterBar
      label={texts.auditLog.filters}
      more={TIMES.map((name) => (
        <MomentField
          key={name}
          label={texts.auditLog.filterNames[name]}
          value={draft[name] ?? ''}
          onChange={change(name)}
        />
      ))}
      isMoreOpen={TIMES.some((name) => filter[name] !== undefined)}
      onApply={() => onChange(readAuditFilter(draft))}
      onClear={() => {
        setDraft({});
        onChange({});
      }}
    >
      <Choice
        label={texts.auditLog.action}
        value={draft.action ?? ''}
        options={[
          { value: '', label: texts.auditLog.anyAction },
          ...actions.map((action) => ({ value: action, label: action })),
        ]}
        onChange={change('action')}
      />
      {field('actorId')}
      {field('targetId')}
    </FilterBar>
  );
}
