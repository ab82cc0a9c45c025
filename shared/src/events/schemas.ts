/** A JSON Schema as it is published. `description` is for readers. */
export interface Schema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: Properties;
  readonly additionalProperties?: false;
  readonly description?: string;
}

export type Properties = Readonly<Record<string, Schema>>;

export interface ObjectSchema extends Schema {
  readonly required: readonly string[];
  readonly properties: Properties;
}

export const text = (description: string) => ({ type: 'string', description }) as const;

export const id = (prefix: string, description: string) =>
  ({ type: 'string', pattern: `^${prefix}_[a-z0-9]+$`, description }) as const;

export const dateTime = (description: string) =>
  ({ type: 'string', format: 'date-time', description }) as const;

export const oneOf = <const Values extends readonly string[]>(values: Values, description?: string) =>
  ({ enum: values, type: 'string', ...(description !== undefined && { description }) }) as const;

export const listOf = <Item extends Schema>(items: Item, description: string) =>
  ({ type: 'array', items, description }) as const;

export const orNull = (schema: Schema, description: string) =>
  ({ anyOf: [schema, { type: 'null' }], description }) as const;

/** An object with these fields and no others. All are required but the optional ones. */
export const closedObject = <Fields extends Properties>(fields: Fields, details: ObjectDetails = {}) => {
  const { description, ...others } = openObject(fields, details);
  return {
    ...others,
    additionalProperties: false,
    ...(description !== undefined && { description }),
  } as const;
};

interface ObjectDetails {
  readonly optional?: readonly string[];
  readonly description?: string;
}

/** An object with these fields. It may have others: a later version may add some. */
export const openObject = <Fields extends Properties>(
  properties: Fields,
  { optional = [], description }: ObjectDetails = {},
) => ({
  type: 'object' as const,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  ...(description !== undefined && { description }),
});
