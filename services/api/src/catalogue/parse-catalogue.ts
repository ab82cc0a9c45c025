import type { EventTypeDefinition } from '@postrider/shared/catalogue/event-type-definition';
import type { SchemaObject } from '@postrider/shared/catalogue/json-schema';
import { formatPath, type Mistake, mistakesOf } from '@postrider/shared/catalogue/mistake';
import { createCompiler } from '@postrider/shared/catalogue/validator';
import { isRecord } from '@postrider/shared/domain/is-record';
import { Lexer, Parser, parseDocument } from 'yaml';

/** A catalogue file whose form is right: names, schemas and examples are not checked yet. */
export type CatalogueFile = readonly EventTypeDefinition[];

/** A file whose form is wrong. */
export interface MalformedFile {
  readonly mistakes: readonly Mistake[];
  /** Its types, so that mistakes of other kinds are found as well; null if they cannot be read. */
  readonly types: readonly PlacedType[] | null;
}

/** A type of a file. */
export interface PlacedType {
  readonly index: number;
  /** Null if it is not a string. */
  readonly name: string | null;
  /** Null if it is not an object. */
  readonly schema: SchemaObject | null;
  /** Null if its form is wrong. */
  readonly definition: EventTypeDefinition | null;
}
export type ParsedFile = { readonly file: CatalogueFile } | MalformedFile;

/** Limits of a file, and of the whole catalogue, so that one file can hold it. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
export const MAX_TYPES = 500;
/** Maximum nesting depth of lists and objects in a file. */
const MAX_LEVELS = 64;
/** Maximum number of references to anchors in a YAML file. */
const MAX_ALIASES = 100;

const TYPE_FORM = {
  type: 'object',
  required: ['name', 'description', 'schema', 'examples'],
  additionalProperties: false,
  properties: {
    name: { type: 'string' },
    description: { type: 'string', minLength: 1, maxLength: 1_000 },
    schema: { type: 'object' },
    examples: { type: 'array', minItems: 1, maxItems: 10, items: { type: 'object' } },
    deprecated: { type: 'boolean' },
  },
};

const TOO_DEEP = `the file is nested deeper than ${MAX_LEVELS} levels`;

const checkForm = createCompiler('all')({
  type: 'object',
  required: ['eventTypes'],
  additionalProperties: false,
  properties: { eventTypes: { type: 'array', items: TYPE_FORM } },
});
const checkTypeForm = createCompiler('first')(TYPE_FORM);

/** Parses a catalogue file, YAML or JSON, and checks its form. */
export function parseCatalogue(text: string): ParsedFile {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES)
    return refuse([{ path: '', message: `the file is larger than ${MAX_FILE_BYTES} bytes` }]);
  const tooDeep = firstLineBelow(text, MAX_LEVELS);
  if (tooDeep !== null) return refuse([{ path: '', message: `${TOO_DEEP}, first in line ${tooDeep}` }]);
  const parsed = parseYaml(text);
  if ('mistakes' in parsed) return parsed;
  if (hasTooManyTypes(parsed.value))
    return refuse([{ path: 'eventTypes', message: `must have at most ${MAX_TYPES} types` }]);
  if (checkForm(parsed.value)) {
    const { eventTypes } = parsed.value as { eventTypes: EventTypeDefinition[] };
    return { file: eventTypes.map(withDefaults) };
  }
  return refuse(
    mistakesOf(checkForm.errors ?? []).map(({ path, message }) => ({ path: path || 'the file', message })),
    typesIn(parsed.value),
  );
}

function typesIn(value: unknown): MalformedFile['types'] {
  if (!isRecord(value) || !Array.isArray(value.eventTypes)) return null;
  return value.eventTypes.map((type: unknown, index) => {
    const { name, schema } = isRecord(type) ? type : {};
    return {
      index,
      name: typeof name === 'string' ? name : null,
      schema: isRecord(schema) ? schema : null,
      definition: checkTypeForm(type) ? withDefaults(type as EventTypeDefinition) : null,
    };
  });
}

function withDefaults(type: EventTypeDefinition): EventTypeDefinition {
  return { ...type, deprecated: type.deprecated ?? false };
}

/** Parses YAML, of which JSON is a subset. Reports keys that occur twice. */
function parseYaml(text: string): { value: unknown } | MalformedFile {
  try {
    const document = parseDocument(text, { uniqueKeys: true, prettyErrors: true });
    if (document.errors.length > 0)
      return refuse(document.errors.map(({ message }) => ({ path: '', message: firstLine(message) })));
    const value: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    // References to anchors can nest deeper than the text, or without end.
    if (isDeeperThan(value, MAX_LEVELS)) return refuse([{ path: '', message: TOO_DEEP }]);
    // Through JSON: a value of YAML that JSON lacks becomes what the registry would get.
    return { value: JSON.parse(JSON.stringify(value)) };
  } catch (error) {
    return refuse([{ path: '', message: `the file cannot be read: ${firstLine(String(error))}` }]);
  }
}

const refuse = (mistakes: readonly Mistake[], types: MalformedFile['types'] = null): MalformedFile => ({
  mistakes,
  types,
});
/** The parser continues a message with the lines of the file. */
const firstLine = (text: string) => (text.split('\n', 1)[0] ?? text).replace(/:$/, '');

/**
 * The first line with a list or an object below this many others; null if there is none. What builds values from a text is
 * recursive, so the depth is checked before.
 */
function firstLineBelow(text: string, levels: number): number | null {
  let line = 1;
  // A stack holds the document, then its lists and objects, then a single value.
  const highest = levels + 2;
  const parser = new Parser();
  for (const lexeme of new Lexer().lex(text)) {
    for (const _ of parser.next(lexeme));
    if (parser.stack.length > highest) return line;
    if (lexeme.includes('\n')) line += lexeme.split('\n').length - 1;
  }
  return null;
}

/** Whether lists and objects are nested deeper than this. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (!isRecord(value) && !Array.isArray(value)) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeperThan(part, levels - 1));
}

function hasTooManyTypes(value: unknown): boolean {
  return isRecord(value) && Array.isArray(value.eventTypes) && value.eventTypes.length > MAX_TYPES;
}

/** The path of a part of one event type. */
export function pathInFile(index: number, path: string): string {
  const place = formatPath(['eventTypes', index]);
  return path === '' ? place : `${place}.${path}`;
}
