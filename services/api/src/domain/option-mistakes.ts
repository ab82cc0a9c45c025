import { filterMistakes } from '@postrider/shared/domain/check-filter';
import type { InputMistake } from '@postrider/shared/domain/input-mistake';
import { isRecord } from '@postrider/shared/domain/is-record';
import { headerMistakes } from './header-mistakes.js';
import { metadataMistakes } from './metadata-mistakes.js';

/** The mistakes in the options of an endpoint that a schema cannot express. */
export function optionMistakes(body: unknown): readonly InputMistake[] {
  if (!isRecord(body)) return [];
  const { headers, metadata, filter } = body;
  return [
    ...headerMistakes(headers, 'headers'),
    ...metadataMistakes(metadata, 'metadata'),
    ...(isRecord(filter) ? filterMistakes(filter, 'filter') : []),
  ];
}
