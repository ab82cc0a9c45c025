import { TextBlock } from './text-block.js';

export function JsonView({ value }: { readonly value: unknown }) {
  return <TextBlock>{JSON.stringify(value, null, 2)}</TextBlock>;
}
