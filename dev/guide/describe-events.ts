import { OUTCOME_KINDS } from '@postrider/shared/domain/delivery-outcome';
import { EVENT_TYPES } from '@postrider/shared/domain/event-type';
import { NOTIFICATION_KINDS } from '@postrider/shared/domain/notification';
import { EVENT_PAYLOADS } from '@postrider/shared/events/event-payloads';
import { NOTIFICATION_PAYLOADS } from '@postrider/shared/events/notification-payloads';
import { OUTCOME_PAYLOADS } from '@postrider/shared/events/outcome-payloads';
import { table } from './tables.js';

/** The parts of a JSON Schema that the guide shows. */
interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly pattern?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** All events, notifications and outcomes with their fields, from their declarations. */
export function describeEvents(): string {
  const events = EVENT_TYPES.map((type) => section(type, EVENT_PAYLOADS[type] as Schema));
  const notifications = NOTIFICATION_KINDS.map((kind) =>
    section(`notification.${kind}`, NOTIFICATION_PAYLOADS[kind] as Schema),
  );
  const outcomes = OUTCOME_KINDS.map((kind) => section(kind, OUTCOME_PAYLOADS[kind] as Schema));
  return [
    '## `workspace.events`',
    ...events,
    '## `workspace.notifications`',
    ...notifications,
    '## `webhook.outcomes`',
    ...outcomes,
  ].join('\n\n');
}

function section(type: string, { description = '', properties = {} }: Schema): string {
  const rows = fieldsOf(properties).map(([name, field]) => {
    return [`\`${name}\``, typeOf(field), field.description ?? ''];
  });
  return [`### \`${type}\``, description, table(['field', 'type', 'meaning'], rows)].join('\n\n');
}

/** Fields of nested objects are prefixed with its name: `data.day`. */
function fieldsOf(properties: Readonly<Record<string, Schema>>): (readonly [string, Schema])[] {
  return Object.entries(properties).flatMap(([name, field]) =>
    field.properties === undefined
      ? [[name, field] as const]
      : fieldsOf(field.properties).map(([inner, schema]) => [`${name}.${inner}`, schema] as const),
  );
}

function typeOf({ type, pattern, format, items, anyOf, enum: values }: Schema): string {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (values !== undefined) return values.map((value) => `\`${value}\``).join(', ');
  if (items !== undefined) return `array of ${typeOf(items)}`;
  const prefix = /^\^(\w+_)\[/.exec(pattern ?? '')?.[1];
  if (prefix !== undefined) return `id, \`${prefix}…\``;
  return format ?? type ?? 'any';
}
