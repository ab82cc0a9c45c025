import { useState } from 'react';
import { Form } from 'react-aria-components/Form';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { Choice } from '../ui/choice.js';
import { ErrorPanel } from '../ui/error-panel.js';
import { fieldErrors } from '../ui/field-errors.js';
import formStyles from '../ui/form.module.css';
import { PairsField } from '../ui/pairs-field.js';
import { TextField } from '../ui/text-field.js';
import { FilterPreview } from './filter-preview.js';
import { HeadersField } from './headers-field.js';
import { draftOf, mistakesOf, type OptionsDraft, readFilter } from './options-draft.js';
import type { EndpointProps } from './show-endpoint.js';

const SIGNINGS = ['hmac-sha256', 'ed25519'] as const satisfies readonly OptionsDraft['signing'][];
const FILTER_ROWS = 6;

interface OptionsFormProps extends EndpointProps {
  readonly error: unknown;
  readonly isPending: boolean;
  onSubmit(draft: OptionsDraft): void;
}

/** What can be read is sent; the api decides whether it is valid, and its messages are shown at their fields. */
export function OptionsForm({ endpoint, error, isPending, onSubmit }: OptionsFormProps) {
  const [draft, setDraft] = useState(() => draftOf(endpoint));
  const change = (part: Partial<OptionsDraft>) => setDraft({ ...draft, ...part });
  const mistakes = mistakesOf(draft, endpoint);
  const errors = { ...fieldErrors(error), ...mistakes };
  const read = readFilter(draft.filter);
  return (
    <Form
      className={formStyles.wide ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(draft);
      }}
    >
      <TextField
        label={texts.options.filter}
        description={texts.options.filterHint}
        error={errors.filter}
        rows={FILTER_ROWS}
        value={draft.filter}
        onChange={(filter) => change({ filter })}
      />
      {'filter' in read && read.filter !== null && (
        <FilterPreview filter={read.filter} eventTypes={endpoint.eventTypes} />
      )}
      <HeadersField endpoint={endpoint} draft={draft} error={errors.headers} onChange={change} />
      <TextField
        label={texts.options.rate}
        description={texts.options.rateHint}
        error={errors.ratePerSecond}
        inputMode="numeric"
        value={draft.ratePerSecond}
        onChange={(ratePerSecond) => change({ ratePerSecond })}
      />
      <Choice
        label={texts.options.signing}
        value={draft.signing}
        options={SIGNINGS.map((value) => ({ value, label: texts.options.signings[value] }))}
        onChange={(signing) => change({ signing })}
      />
      {draft.signing !== endpoint.signing && <p>{texts.options.signingHints[draft.signing]}</p>}
      <PairsField
        label={texts.options.metadata}
        description={texts.options.metadataHint}
        error={errors.metadata}
        value={draft.metadata}
        onChange={(metadata) => change({ metadata })}
      />
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="primary" isDisabled={Object.keys(mistakes).length > 0 || isPending}>
        {texts.actions.save}
      </Button>
    </Form>
  );
}
