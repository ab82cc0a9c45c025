import { Form } from 'react-aria-components/Form';
import { useSession } from '../session/session-provider.js';
import { texts } from '../texts/en.js';
import { Button } from '../ui/button.js';
import { CheckboxField } from '../ui/checkbox-field.js';
import { Choice } from '../ui/choice.js';
import formStyles from '../ui/form.module.css';
import { EndpointsField } from './endpoints-field.js';
import {
  ACCESS,
  isComplete,
  LIFETIMES,
  type LinkDraft,
  PERMISSIONS,
  REACHES,
  withReading,
} from './link-draft.js';

interface PortalLinkFormProps {
  readonly draft: LinkDraft;
  readonly isPending: boolean;
  onChange(changes: Partial<LinkDraft>): void;
  onSubmit(): void;
}

const { portalLinks } = texts;

export function PortalLinkForm({ draft, isPending, onChange, onSubmit }: PortalLinkFormProps) {
  const { permissions } = useSession();
  return (
    <Form
      className={formStyles.form ?? ''}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <div className={formStyles.fields}>
        <Choice
          label={portalLinks.lifetime}
          value={draft.lifetime}
          options={LIFETIMES.map((value) => ({ value, label: portalLinks.lifetimes[value] }))}
          onChange={(lifetime) => onChange({ lifetime })}
        />
        <Choice
          label={portalLinks.access}
          value={draft.access}
          options={ACCESS.map((value) => ({ value, label: portalLinks.accesses[value] }))}
          onChange={(access) => onChange({ access })}
        />
        <Choice
          label={portalLinks.endpoints}
          value={draft.reach}
          options={REACHES.map((value) => ({ value, label: portalLinks.reaches[value] }))}
          onChange={(reach) => onChange({ reach })}
        />
      </div>
      {draft.access === 'choose' && (
        <CheckboxField
          label={portalLinks.permissions}
          value={withReading(draft.permissions)}
          options={PERMISSIONS.filter((name) => permissions.has(name)).map((value) => ({
            value,
            label: portalLinks.permissionNames[value],
          }))}
          onChange={(chosen) => onChange({ permissions: chosen })}
        />
      )}
      {draft.reach === 'chosen' && (
        <EndpointsField value={draft.endpoints} onChange={(endpoints) => onChange({ endpoints })} />
      )}
      <Button type="submit" look="primary" isDisabled={isPending || !isComplete(draft)}>
        {portalLinks.create}
      </Button>
    </Form>
  );
}
