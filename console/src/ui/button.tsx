import { useRef } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from './class-names.js';
import styles from './controls.module.css';
import { useKeptFocus } from './lost-focus.js';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
}

export function Button({ look = 'plain', onPressStart, ...props }: ButtonProps) {
  const button = useRef<HTMLButtonElement>(null);
  const notePress = useKeptFocus(button, props.isDisabled ?? false);
  return (
    <AriaButton
      {...props}
      ref={button}
      onPressStart={(event) => {
        notePress();
        onPressStart?.(event);
      }}
      className={classNames(styles.button, look !== 'plain' && styles[look])}
    />
  );
}
