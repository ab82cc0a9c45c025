import { useEffect, useState } from 'react';
import { texts } from '../texts/en.js';
import { Button } from './button.js';

interface CopyButtonProps {
  readonly text: string;
  /** What the button copies, for example "Copy the secret". */
  readonly label: string;
  /** Takes the focus when it appears, as where it replaces a form. */
  readonly autoFocus?: boolean;
}

const SHOWN_MS = 2_000;

export function CopyButton({ text, label, autoFocus = false }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'failed' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setOutcome('copied'),
      () => setOutcome('failed'),
    );
  return (
    <Button autoFocus={autoFocus} onPress={() => void copy()}>
      <span aria-live="polite">{outcome === null ? label : texts.copy[outcome]}</span>
    </Button>
  );
}
