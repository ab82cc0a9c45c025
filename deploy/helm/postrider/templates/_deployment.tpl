{{/*
A service and its disruption budget. Call with (dict "root" $ "component" "api" "values" .Values.api …), and with "autoscaled" true and
"least" 2 where an autoscaler sets the number of pods, which is then at least that.
*/}}
{{- define "postrider.deployment" -}}
{{- $name := printf "%s-%s" (include "postrider.name" .root) .component -}}
{{- $catalogue := and .migrates (not (empty .root.Values.eventCatalogue)) -}}
{{- $authority := and (eq .component "api") (not (empty .root.Values.api.caSecret)) -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ $name }}
  labels:
    {{- include "postrider.labels" . | nindent 4 }}
spec:
  {{- if .autoscaled }}
  {{- /* A missing count would be 1: keep what runs, so that neither the switch to an autoscaler nor an upgrade stops pods. helm template finds nothing. */}}
  {{- $running := dig "spec" "replicas" 0 (lookup "apps/v1" "Deployment" .root.Release.Namespace $name) | int }}
  replicas: {{ max $running (int .least) }}
  {{- else }}
  replicas: {{ .values.replicas }}
  {{- end }}
  revisionHistoryLimit: 5
  strategy:
    rollingUpdate:
      # A new pod is ready before an old one is stopped.
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "postrider.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "postrider.podLabels" . | nindent 8 }}
      annotations:
        {{- include "postrider.annotations" (dict "root" .root "catalogue" $catalogue) | nindent 8 }}
    spec:
      # Longer than a service takes to stop: 20 s, or DELIVERY_TIMEOUT, BODY_TIMEOUT and 10 s where that is more, and
      # api.drainSeconds before that in the api.
      terminationGracePeriodSeconds: {{ include "postrider.graceSeconds" . }}
      {{- include "postrider.pod" (dict "root" .root "catalogue" $catalogue "authority" $authority "apart" .component) | nindent 6 }}
      topologySpreadConstraints:
        {{- include "postrider.spread" . | nindent 8 }}
      {{- if .migrates }}
      initContainers:
        # Every new pod runs it: a lease in the database serialises them, and what exists is not changed.
        - name: migrate
          args: [admin, migrate]
          {{- include "postrider.container" (dict "root" .root "catalogue" $catalogue) | nindent 10 }}
          resources:
            {{- toYaml .root.Values.migrate.resources | nindent 12 }}
      {{- end }}
      containers:
        - name: postrider
          args: [{{ .component }}]
          ports:
            - { name: {{ .port }}, containerPort: {{ .portNumber }} }
            - { name: metrics, containerPort: 9464 }
            - { name: liveness, containerPort: 8082 }
          {{- include "postrider.container" (dict "root" .root "keys" .keys "liveness" 8082 "authority" $authority) | nindent 10 }}
          # A start waits for broker, database and registry before it listens: START_TIMEOUT has to end before this does.
          startupProbe:
            httpGet: { path: /healthz, port: {{ .port }} }
            # A start takes some seconds; a probe before that would only leave a warning event.
            initialDelaySeconds: 5
            periodSeconds: 2
            failureThreshold: 60
          # A thread answers, also while the process is overloaded: a restart would leave its work to the others.
          livenessProbe:
            httpGet: { path: /healthz, port: liveness }
            periodSeconds: 10
            timeoutSeconds: 10
            failureThreshold: 3
          # An overloaded process answers late, and gets no further connections until it answers in time.
          readinessProbe:
            httpGet: { path: /readyz, port: {{ .port }} }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          {{- if .drains }}
          lifecycle:
            preStop:
              # Until every proxy of the cluster, and a load balancer that sends to pods, has removed this pod.
              exec: { command: [sleep, '{{ int .root.Values.api.drainSeconds }}'] }
          {{- end }}
          resources:
            {{- toYaml .values.resources | nindent 12 }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels:
    {{- include "postrider.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  # A pod that is not ready does not block the drain of its node.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "postrider.selector" . | nindent 6 }}
{{- end }}
