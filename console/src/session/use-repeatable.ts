import { randomKey } from '@postrider/client';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { type Request, repeatable } from './repeatable.js';

const begin = (): Request => ({ header: { 'Idempotency-Key': randomKey() }, firstSentMs: Date.now() });

/** Sends requests that can be repeated while the component is mounted. */
export function useRepeatable() {
  return useState(() => repeatable(begin))[0];
}

interface RepeatableMutation<Input, Answer> {
  send(request: Request, input: Input): Promise<Answer>;
  onSuccess?(answer: Answer): unknown;
}

/** A POST. Pressing its button again after a lost answer does nothing twice. */
export function useRepeatableMutation<Answer, Input = void>({
  send,
  onSuccess,
}: RepeatableMutation<Input, Answer>): UseMutationResult<Answer, Error, Input> {
  const sendRepeatable = useRepeatable();
  return useMutation({
    mutationFn: (input: Input) => sendRepeatable(input, (request) => send(request, input)),
    ...(onSuccess !== undefined && { onSuccess }),
  });
}
