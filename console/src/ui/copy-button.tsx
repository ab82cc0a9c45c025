import { useEffect, useState } from 'react';
import { texts } from '../texts/en.js';
import { Button, type ButtonProps } from './button.js';

interface CopyButtonProps {
  readonly text: string;
  /** What the button copies, for example "Copy the secret". */
  readonly label: string;
  /** Stands on the button instead, where there is little room. */
  readonly shortLabel?: string;
  /** Takes the focus when it appears, as where it replaces a form. */
  readonly autoFocus?: boolean;
  readonly look?: ButtonProps['look'];
  onCopied?(): void;
}

const SHOWN_MS = 2_000;

export function CopyButton({
  text,
  label,
  shortLabel = label,
  autoFocus = false,
  look = 'plain',
  onCopied,
}: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      // There is no clipboard on a page that was loaded over plain HTTP.
      await navigator.clipboard.writeText(text);
    } catch {
      return setOutcome('failed');
    }
    setOutcome('copied');
    onCopied?.();
  };
  return (
    <Button
      autoFocus={autoFocus}
      look={look}
      {...(outcome === null && { 'aria-label': label })}
      onPress={() => void copy()}
    >
      <span aria-live="polite">{outcome === null ? shortLabel : texts.copy[outcome]}</span>
    </Button>
  );
}
