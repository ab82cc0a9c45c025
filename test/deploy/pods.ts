import type { Manifest } from './render.js';

/** What tests read of the pods of an object. */
export interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly serviceAccountName: string;
  readonly priorityClassName?: string;
  readonly imagePullSecrets?: readonly object[];
  readonly affinity?: Readonly<Record<string, object>>;
  readonly topologySpreadConstraints?: readonly object[];
  readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
  readonly initContainers?: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
}

export interface ContainerSpec {
  readonly name: string;
  readonly imagePullPolicy?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
}

/** A pod with its labels and annotations. */
export interface PodTemplate {
  readonly metadata: Readonly<Record<'labels' | 'annotations', Readonly<Record<string, string>>>>;
  readonly spec: PodSpec;
}

/** The pods that these objects run, one for each object that runs any. */
export function podsOf(manifests: readonly Manifest[]): PodSpec[] {
  return podTemplatesOf(manifests).map(({ spec }) => spec);
}

export function podTemplatesOf(manifests: readonly Manifest[]): PodTemplate[] {
  return manifests.map(podTemplateOf).filter((template) => template !== null);
}

/** The pod of an object, or null if it runs none. */
export function podOf(manifest: Manifest): PodSpec | null {
  return podTemplateOf(manifest)?.spec ?? null;
}

function podTemplateOf(manifest: Manifest): PodTemplate | null {
  const { kind, spec } = manifest;
  if (kind === 'Pod') return manifest as unknown as PodTemplate;
  if (kind === 'Deployment') return (spec as Templated).template;
  if (kind === 'CronJob')
    return (spec as { readonly jobTemplate: { readonly spec: Templated } }).jobTemplate.spec.template;
  return null;
}

interface Templated {
  readonly template: PodTemplate;
}
