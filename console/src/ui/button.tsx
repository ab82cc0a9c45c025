import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { classNames } from './class-names.js';
import styles from './controls.module.css';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style'> {
  readonly look?: 'plain' | 'primary' | 'danger' | 'quiet';
}

export function Button({ look = 'plain', ...props }: ButtonProps) {
  return <AriaButton {...props} className={classNames(styles.button, look !== 'plain' && styles[look])} />;
}
