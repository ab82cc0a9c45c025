import { texts } from '../texts/en.js';
import { Choice } from '../ui/choice.js';
import { PairsField } from '../ui/pairs-field.js';
import { HEADER_CHANGES, type OptionsDraft } from './options-draft.js';
import type { EndpointProps } from './show-endpoint.js';

interface HeadersFieldProps extends EndpointProps {
  readonly draft: OptionsDraft;
  readonly error: string | undefined;
  onChange(part: Partial<OptionsDraft>): void;
}

/** Static request headers. Their values cannot be read back, so they are kept, replaced or removed as a whole. */
export function HeadersField({ endpoint: { headerNames }, draft, error, onChange }: HeadersFieldProps) {
  const { headerChange, headers } = draft;
  return (
    <>
      {headerNames.length > 0 && (
        <Choice
          label={texts.options.headersNow(headerNames.join(', '))}
          value={headerChange}
          options={HEADER_CHANGES.map((value) => ({ value, label: texts.options.headerChanges[value] }))}
          onChange={(chosen) => onChange({ headerChange: chosen, headers: [] })}
        />
      )}
      {headerChange === 'replace' && (
        <PairsField
          label={texts.options.headers}
          description={texts.options.headersHint}
          error={error}
          value={headers}
          onChange={(changed) => onChange({ headers: changed })}
        />
      )}
    </>
  );
}
