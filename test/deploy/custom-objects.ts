import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { default as addFormats } from 'ajv-formats';
import { ROOT } from '#dev/start/paths';
import type { Manifest } from './render.js';

/** Custom resources and their schemas, whose origin is in `schemas/NOTICE`. */
const SCHEMAS: Readonly<Record<string, string>> = {
  'keda.sh/v1alpha1 ScaledObject': 'scaled-object.json',
  'keda.sh/v1alpha1 TriggerAuthentication': 'trigger-authentication.json',
  'monitoring.coreos.com/v1 PodMonitor': 'pod-monitor.json',
  'monitoring.coreos.com/v1 PrometheusRule': 'prometheus-rule.json',
};
const IGNORING_CASE = '(?i)';

/** Patterns of these schemas are written for Go, where `(?i)` ignores case. */
const regExp = Object.assign(
  (pattern: string, flags: string) =>
    new RegExp(pattern.replace(IGNORING_CASE, ''), pattern.includes(IGNORING_CASE) ? `${flags}i` : flags),
  { code: 'regExp' },
);
const ajv = new Ajv({ strict: false, allErrors: true, code: { regExp } });
addFormats.default(ajv);
const checks = new Map<string, ValidateFunction>();

/** Whether this is a custom resource of an operator. */
export function isCustom(manifest: Manifest): boolean {
  return nameOf(manifest) in SCHEMAS;
}

/** The schema errors of an object with their paths; an unknown field is an error. */
export function schemaErrors(manifest: Manifest): string[] {
  const check = checkOf(nameOf(manifest));
  check(manifest);
  return (check.errors ?? []).map(describeError);
}

function describeError({ instancePath, message, params }: ErrorObject): string {
  const unknown = 'additionalProperty' in params ? `: ${params.additionalProperty}` : '';
  return `${instancePath} ${message}${unknown}`;
}

function nameOf({ apiVersion, kind }: Manifest): string {
  return `${apiVersion} ${kind}`;
}

function checkOf(name: string): ValidateFunction {
  const known = checks.get(name);
  if (known !== undefined) return known;
  const file = SCHEMAS[name];
  if (file === undefined) throw new Error(`There is no schema of ${name}`);
  const schema = JSON.parse(readFileSync(join(ROOT, 'test/deploy/schemas', file), 'utf8'));
  const check = ajv.compile(strict(schema));
  checks.set(name, check);
  return check;
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
}

/** The schema with unknown fields forbidden, as kubectl validates. */
function strict(schema: Schema): object {
  const { properties, items, additionalProperties } = schema;
  const inner = {
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, strict(one)])),
    }),
    ...(items && { items: strict(items) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: strict(additionalProperties) }),
  };
  const open = !properties || additionalProperties || schema['x-kubernetes-preserve-unknown-fields'];
  return { ...schema, ...inner, ...(!open && { additionalProperties: false }) };
}
