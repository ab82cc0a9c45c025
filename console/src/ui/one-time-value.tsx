import { useState } from 'react';
import { CopyButton } from './copy-button.js';
import formStyles from './form.module.css';
import { useLeaveGuard } from './use-leave-guard.js';

interface OneTimeValueProps {
  readonly value: string;
  /** What the button copies, for example "Copy the secret". */
  readonly label: string;
  /** Stands before the value. */
  readonly prefix?: string;
  /** Whether the value is needed no more, or shown elsewhere, so that leaving the page loses nothing. */
  readonly isKept?: boolean;
}

/** A value that is shown once. Until it is copied, leaving the page asks first. */
export function OneTimeValue({ value, label, prefix = '', isKept = false }: OneTimeValueProps) {
  const [isCopied, setCopied] = useState(false);
  const noteCopied = () => setCopied(true);
  useLeaveGuard(!isCopied && !isKept);
  return (
    <>
      <p className={formStyles.secret} onCopy={noteCopied}>
        {prefix}
        {value}
      </p>
      <div>
        <CopyButton text={value} label={label} autoFocus onCopied={noteCopied} />
      </div>
    </>
  );
}
