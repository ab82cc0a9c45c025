{{- define "postrider.name" -}}
{{- if contains "postrider" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-postrider{{ end }}
{{- end }}

{{/* The component whose pods run a service: one for all three, or its own. Call with (dict "root" $ "component" "api"). */}}
{{- define "postrider.component" -}}
{{ if and (eq .root.Values.profile "all") (has .component (list "api" "dispatcher" "dlq-consumer")) }}all{{ else }}{{ .component }}{{ end }}
{{- end }}

{{/* Labels that select pods; they never change. Call with (dict "root" $ "component" "api"). */}}
{{- define "postrider.selector" -}}
app.kubernetes.io/name: postrider
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
{{- if .component }}
app.kubernetes.io/component: {{ include "postrider.component" . }}
{{- end }}
{{- end }}

{{/*
Selects the pods that run a service under both profiles: while the profile is changed, pods of both run. Call with
(dict "root" $ "component" "api").
*/}}
{{- define "postrider.servicePods" -}}
matchLabels:
  {{- include "postrider.selector" (dict "root" .root) | nindent 2 }}
matchExpressions:
  - { key: app.kubernetes.io/component, operator: In, values: [{{ .component }}, all] }
{{- end }}

{{/* Labels of pods. Call with (dict "root" $ "component" "api"). */}}
{{- define "postrider.podLabels" -}}
{{ include "postrider.selector" . }}
{{- with .root.Values.pods.labels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "postrider.serviceAccount" -}}
{{ .Values.pods.serviceAccount | default (include "postrider.name" .) }}
{{- end }}

{{- define "postrider.labels" -}}
{{ include "postrider.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "postrider.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/*
How long a pod may take to stop. Call with (dict "root" $ "delivers" true "drains" true): delivers for those that wait for their
POSTs, drains for those that are first removed from the service. Without longer deadlines or drain time it is 30 s.
*/}}
{{- define "postrider.graceSeconds" -}}
{{- $longest := 0.0 -}}
{{- range $name, $usual := dict "DELIVERY_TIMEOUT" "10s" "BODY_TIMEOUT" "2s" -}}
{{- $deadline := get $.root.Values.config $name | default $usual -}}
{{- $longest = addf $longest (include "postrider.seconds" (dict "name" $name "duration" $deadline) | float64) -}}
{{- end -}}
{{- $grace := 30 -}}
{{- if .delivers }}{{ $grace = max $grace (add ($longest | ceil | int) 18) }}{{ end -}}
{{- /* The usual 5 s of drainSeconds are part of it. */ -}}
{{- if .drains }}{{ $grace = add $grace (sub (int .root.Values.api.drainSeconds) 5) }}{{ end -}}
{{ $grace }}
{{- end }}

{{/* A value as text. What a values file says in numbers comes as floats: 1000000 would become 1e+06, and 0.00001 1e-05. */}}
{{- define "postrider.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) }}{{ printf "%.0f" . }}
{{- else if and (kindIs "float64" .) (lt . 0.0001) }}{{ printf "%.9f" . }}
{{- else }}{{ toString . }}{{ end }}
{{- end }}

{{/* "true" if the values have this variable, with a text that is not empty. Call with (dict "root" $ "name" "TRUST_PROXY"). */}}
{{- define "postrider.has" -}}
{{- if ne (get .root.Values.config .name | toString) "" }}true{{ end }}
{{- end }}

{{/* Every variable that is no secret. */}}
{{- define "postrider.config" -}}
KAFKA_BROKERS: {{ .Values.kafka.brokers | quote }}
SCHEMA_REGISTRY_URL: {{ .Values.schemaRegistry.url | quote }}
TOPIC_PARTITIONS: {{ include "postrider.text" .Values.topics.partitions | quote }}
TOPIC_REPLICATION_FACTOR: {{ include "postrider.text" .Values.topics.replicationFactor | quote }}
{{- with .Values.topics.prefix }}
TOPIC_PREFIX: {{ . | quote }}
{{- end }}
{{- if .Values.kafka.tls.enabled }}
KAFKA_TLS: "true"
{{- if and .Values.kafka.tls.existingSecret .Values.kafka.tls.customCa }}
KAFKA_TLS_CA_FILE: /etc/postrider/kafka/ca.crt
{{- end }}
{{- if .Values.kafka.tls.clientCertificate }}
KAFKA_TLS_CERT_FILE: /etc/postrider/kafka/tls.crt
KAFKA_TLS_KEY_FILE: /etc/postrider/kafka/tls.key
{{- end }}
{{- end }}
{{- with .Values.kafka.sasl.mechanism }}
KAFKA_SASL_MECHANISM: {{ . }}
{{- end }}
{{- if and .Values.mongodb.tls.existingSecret .Values.mongodb.tls.customCa }}
MONGODB_TLS_CA_FILE: /etc/postrider/mongodb/ca.crt
{{- end }}
{{- if .Values.mongodb.tls.clientCertificate }}
MONGODB_TLS_CERT_FILE: /etc/postrider/mongodb/client.pem
{{- end }}
{{- if .Values.schemaRegistry.tls.existingSecret }}
SCHEMA_REGISTRY_CA_FILE: /etc/postrider/schema-registry/ca.crt
{{- end }}
{{- if .Values.tracing.tls.existingSecret }}
OTEL_EXPORTER_OTLP_CERTIFICATE: /etc/postrider/collector/ca.crt
{{- end }}
{{- if and .Values.ingress.enabled (not (include "postrider.has" (dict "root" . "name" "TRUST_PROXY"))) }}
TRUST_PROXY: "1"
{{- end }}
{{- if and .Values.ingress.enabled (not (hasKey .Values.config "CONSOLE_URL")) (not (contains "*" .Values.ingress.host)) }}
CONSOLE_URL: {{ printf "https://%s/console" .Values.ingress.host | quote }}
{{- end }}
{{- if and .Values.ingress.enabled (get .Values.config "OAUTH_ISSUER") (not (get .Values.config "MCP_URL")) (not (contains "*" .Values.ingress.host)) }}
MCP_URL: {{ printf "https://%s/mcp" .Values.ingress.host | quote }}
{{- end }}
{{- range $name, $value := .Values.config }}
{{- /* Empty ones of these are derived above where they are needed. */}}
{{- if or (not (has $name (list "TRUST_PROXY" "MCP_URL"))) (include "postrider.has" (dict "root" $ "name" $name)) }}
{{ $name }}: {{ include "postrider.text" $value | quote }}
{{- end }}
{{- end }}
{{- end }}

{{/* One secret variable. Call with (dict "root" $ "name" "MONGODB_URI" "optional" false). */}}
{{- define "postrider.secret" -}}
{{- $from := get .root.Values.secrets.from .name -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef:
      {{- if $from }}
      name: {{ $from.name | quote }}
      key: {{ $from.key | quote }}
      {{- else }}
      name: {{ .root.Values.secrets.existingSecret | default (printf "%s-secrets" (include "postrider.name" .root)) | quote }}
      key: {{ .name }}
      {{- end }}
      {{- if .optional }}
      optional: true
      {{- end }}
{{- end }}

{{/* The text of the catalogue file; empty without one. */}}
{{- define "postrider.catalogue" -}}
{{- with .Values.eventCatalogue }}{{ if kindIs "string" . }}{{ . }}{{ else }}{{ toYaml . }}{{ end }}{{ end }}
{{- end }}

{{/*
What every container has. Call with (dict "root" $ "keys" true "catalogue" true "liveness" 8082 "authority" true): keys for those
that seal secrets, catalogue for the one that applies it, liveness for those that keep running, authority for the one that trusts
the authority of api.caSecret.
*/}}
{{- define "postrider.container" -}}
image: {{ include "postrider.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
envFrom:
  - configMapRef:
      name: {{ include "postrider.name" .root }}-config
# The last lines of a failed container appear in "kubectl describe pod".
terminationMessagePolicy: FallbackToLogsOnError
env:
  {{- include "postrider.secret" (dict "root" .root "name" "MONGODB_URI") | nindent 2 }}
  {{- range list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD" "SCHEMA_REGISTRY_USERNAME" "SCHEMA_REGISTRY_PASSWORD" "OTEL_EXPORTER_OTLP_HEADERS" "EGRESS_PROXY" }}
  {{- include "postrider.secret" (dict "root" $.root "name" . "optional" true) | nindent 2 }}
  {{- end }}
  {{- if .keys }}
  {{- include "postrider.secret" (dict "root" .root "name" "ENCRYPTION_KEYS") | nindent 2 }}
  {{- end }}
  {{- with .liveness }}
  - name: LIVENESS_PORT
    value: {{ . | quote }}
  {{- end }}
  {{- if .authority }}
  - name: NODE_EXTRA_CA_CERTS
    value: /etc/postrider/api-ca/ca.crt
  {{- end }}
  {{- if .catalogue }}
  - name: EVENT_CATALOGUE_FILE
    value: /etc/postrider/event-catalogue/event-types.yaml
  {{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- with include "postrider.mounts" . | trim }}
volumeMounts:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "postrider.mounts" -}}
{{- if .root.Values.kafka.tls.existingSecret }}
- { name: kafka-tls, mountPath: /etc/postrider/kafka, readOnly: true }
{{- end }}
{{- if .root.Values.mongodb.tls.existingSecret }}
- { name: mongodb-tls, mountPath: /etc/postrider/mongodb, readOnly: true }
{{- end }}
{{- if .root.Values.schemaRegistry.tls.existingSecret }}
- { name: schema-registry-tls, mountPath: /etc/postrider/schema-registry, readOnly: true }
{{- end }}
{{- if .root.Values.tracing.tls.existingSecret }}
- { name: collector-tls, mountPath: /etc/postrider/collector, readOnly: true }
{{- end }}
{{- if .authority }}
- { name: api-ca, mountPath: /etc/postrider/api-ca, readOnly: true }
{{- end }}
{{- if .catalogue }}
- { name: event-catalogue, mountPath: /etc/postrider/event-catalogue, readOnly: true }
{{- end }}
{{- end }}

{{/* Call with (dict "root" $ "catalogue" true "authority" true). */}}
{{- define "postrider.volumes" -}}
{{- with .root.Values.kafka.tls.existingSecret }}
- name: kafka-tls
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- with .root.Values.mongodb.tls.existingSecret }}
- name: mongodb-tls
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- with .root.Values.schemaRegistry.tls.existingSecret }}
- name: schema-registry-tls
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- with .root.Values.tracing.tls.existingSecret }}
- name: collector-tls
  secret: { secretName: {{ . | quote }} }
{{- end }}
{{- if .authority }}
# A pod without this key does not start; Node would ignore a missing file.
- name: api-ca
  secret: { secretName: {{ .root.Values.api.caSecret | quote }}, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}
{{- if .catalogue }}
- name: event-catalogue
  configMap: { name: {{ include "postrider.name" .root }}-event-catalogue }
{{- end }}
{{- end }}

{{/* The values' constraints, each with the pods of the component if it selects none, or the usual one. Call with (dict "root" $ "component" "api"). */}}
{{- define "postrider.spread" -}}
{{- $selector := dict "matchLabels" (include "postrider.selector" . | fromYaml) }}
{{- $constraints := list }}
{{- range .root.Values.pods.topologySpreadConstraints }}
{{- $constraints = append $constraints (hasKey . "labelSelector" | ternary . (set (deepCopy .) "labelSelector" $selector)) }}
{{- end }}
{{- /* By host name: a spread over zones would exclude every node without a zone label. */}}
{{- $usual := dict "maxSkew" 1 "topologyKey" "kubernetes.io/hostname" "whenUnsatisfiable" "ScheduleAnyway" "labelSelector" $selector }}
{{- $constraints | default (list $usual) | toYaml }}
{{- end }}

{{/* The values' affinity, and other zones than those of the pods of the component "apart" unless it says otherwise. */}}
{{- define "postrider.affinity" -}}
{{- $affinity := .root.Values.pods.affinity | default dict }}
{{- with $affinity }}
{{ toYaml . }}
{{- end }}
{{- if and .apart (not (hasKey $affinity "podAntiAffinity")) }}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: topology.kubernetes.io/zone
        labelSelector:
          matchLabels:
            {{- include "postrider.selector" (dict "root" .root "component" .apart) | nindent 12 }}
{{- end }}
{{- end }}

{{/*
What every pod has, apart from its containers. Call with (dict "root" $ "catalogue" true "authority" true), for the pods whose containers
have them, and "apart" the component whose pods prefer different zones.
*/}}
{{- define "postrider.pod" -}}
serviceAccountName: {{ include "postrider.serviceAccount" .root | quote }}
automountServiceAccountToken: false
# Without this, a service called kafka would set the variable KAFKA_PORT.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  {{- with .root.Values.pods.user }}
  runAsUser: {{ include "postrider.text" . }}
  runAsGroup: {{ include "postrider.text" . }}
  fsGroup: {{ include "postrider.text" . }}
  {{- end }}
  seccompProfile:
    type: RuntimeDefault
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . | quote }}
  {{- end }}
{{- end }}
{{- with .root.Values.pods.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.pods.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.pods.priorityClassName }}
priorityClassName: {{ . | quote }}
{{- end }}
{{- with include "postrider.affinity" . | trim }}
affinity:
  {{- . | nindent 2 }}
{{- end }}
{{- with include "postrider.volumes" . | trim }}
volumes:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Pods follow what is in their configuration and in secrets that the chart made. Call with (dict "root" $ "catalogue" true). */}}
{{- define "postrider.annotations" -}}
checksum/config: {{ include "postrider.config" .root | sha256sum }}
{{- if .catalogue }}
checksum/catalogue: {{ include "postrider.catalogue" .root | sha256sum }}
{{- end }}
{{- with .root.Values.secrets.create }}
checksum/secrets: {{ toJson . | sha256sum }}
{{- end }}
{{- with .root.Values.pods.annotations }}
{{ toYaml . }}
{{- end }}
{{- end }}
