import type { Manifest } from './render.js';

/** What tests read of the pods of an object. */
export interface PodSpec {
  readonly terminationGracePeriodSeconds: number;
  readonly securityContext: object;
  readonly volumes?: readonly { readonly name: string; readonly secret?: { readonly secretName: string } }[];
  readonly initContainers?: readonly ContainerSpec[];
  readonly containers: readonly ContainerSpec[];
}

export interface ContainerSpec {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
  readonly lifecycle?: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
}

/** The pods that these objects run, one for each object that runs any. */
export function podsOf(manifests: readonly Manifest[]): PodSpec[] {
  return manifests.flatMap((manifest) => {
    const pod = podOf(manifest);
    return pod === null ? [] : [pod];
  });
}

/** The pod of an object, or null if it runs none. */
export function podOf({ kind, spec }: Manifest): PodSpec | null {
  if (kind === 'Pod') return spec as PodSpec;
  if (kind === 'Deployment') return (spec as Template).template.spec;
  if (kind === 'CronJob')
    return (spec as { readonly jobTemplate: { readonly spec: Template } }).jobTemplate.spec.template.spec;
  return null;
}

interface Template {
  readonly template: { readonly spec: PodSpec };
}
