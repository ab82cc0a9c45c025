import { type ReactNode, useRef } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal, ModalOverlay } from 'react-aria-components/Modal';
import { texts } from '../texts/en.js';
import { Button } from './button.js';
import styles from './dialog.module.css';
import { useFocusAfter } from './lost-focus.js';

interface DialogProps {
  readonly title: string;
  /** Null while the dialog must stay open. */
  readonly onClose: (() => void) | null;
  /** Whether it shows what is not shown again, so that a press outside must not close it. */
  readonly showsOnce?: boolean;
  readonly closeLabel?: string;
  readonly children: ReactNode;
}

/** Render it while it is open. Escape and a press outside close it, but not once something was entered in a form. */
export function Dialog({
  title,
  onClose,
  showsOnce = false,
  closeLabel = texts.actions.close,
  children,
}: DialogProps) {
  useFocusAfter();
  const editedForm = useRef<HTMLFormElement>(null);
  return (
    <ModalOverlay
      isOpen
      isDismissable={onClose !== null && !showsOnce}
      isKeyboardDismissDisabled={onClose === null}
      onOpenChange={(isOpen) => {
        // A form that was sent may have been replaced by its result.
        const isEdited = editedForm.current?.isConnected ?? false;
        if (!isOpen && !isEdited) onClose?.();
      }}
      className={styles.overlay ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <AriaDialog className={styles.dialog ?? ''}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <div
            className={styles.content}
            onInput={({ target }) => {
              if (target instanceof Element) editedForm.current ??= target.closest('form');
            }}
          >
            {children}
          </div>
          {onClose !== null && (
            <Button look="quiet" onPress={onClose}>
              {closeLabel}
            </Button>
          )}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
