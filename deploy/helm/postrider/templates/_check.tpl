{{/*
Values of an older release lack later defaults. These are the newest ones, of which a whole section may be missing. Other templates fail
on that, so that the first template that Helm renders includes this one: that of the deepest path.
*/}}
{{- define "postrider.checkDefaults" -}}
{{- range $path := list "api.drainSeconds" "tracing.tls" }}
{{- $names := splitList "." $path }}
{{- if not (hasKey (get $.Values (first $names) | default dict) (last $names)) }}{{ fail (printf "%s is missing: the values lack defaults of this chart, as after an upgrade with --reuse-values. Use --reset-then-reuse-values instead, or -f with your values" $path) }}{{ end }}{{ end }}
{{- end }}

{{/* Refuses what the schema cannot: values that are needed one way or another. */}}
{{- define "postrider.check" -}}
{{- $most := ternary 44 34 (contains "postrider" .Release.Name) -}}
{{- if gt (len .Release.Name) $most }}{{ fail (printf "the release name %s has %d characters, more than %d: with them, the CronJob %s-janitor would exceed the 52 of Kubernetes. Choose a shorter name" .Release.Name (len .Release.Name) $most (include "postrider.name" .)) }}{{ end }}
{{- if not .Values.kafka.brokers }}{{ fail "kafka.brokers is missing: bootstrap brokers, like kafka-0:9092,kafka-1:9092" }}{{ end }}
{{- if not .Values.schemaRegistry.url }}{{ fail "schemaRegistry.url is missing: a Confluent-compatible registry, like http://schema-registry:8081" }}{{ end }}
{{- if and .Values.secrets.existingSecret .Values.secrets.create }}{{ fail "secrets.existingSecret and secrets.create are both given: choose one" }}{{ end }}
{{- if not .Values.secrets.existingSecret }}
{{- range $name := list "MONGODB_URI" "ENCRYPTION_KEYS" }}
{{- if not (or (hasKey $.Values.secrets.create $name) (hasKey $.Values.secrets.from $name)) }}
{{- fail (printf "%s is missing: give secrets.existingSecret, secrets.from.%s or secrets.create.%s%s" $name $name $name (ternary " (a new key: echo k1:$(openssl rand -base64 32); keep it, secrets cannot be read without it)" "" (eq $name "ENCRYPTION_KEYS"))) }}
{{- end }}{{ end }}{{ end }}
{{- if and .Values.kafka.sasl.mechanism (not .Values.secrets.existingSecret) }}
{{- range $name := list "KAFKA_SASL_USERNAME" "KAFKA_SASL_PASSWORD" }}
{{- if not (or (hasKey $.Values.secrets.create $name) (hasKey $.Values.secrets.from $name)) }}
{{- fail (printf "%s is missing: kafka.sasl.mechanism needs it in secrets.existingSecret, secrets.from or secrets.create" $name) }}
{{- end }}{{ end }}{{ end }}
{{- if and .Values.kafka.tls.clientCertificate (not .Values.kafka.tls.existingSecret) }}{{ fail "kafka.tls.existingSecret is missing: kafka.tls.clientCertificate needs its tls.crt and tls.key" }}{{ end }}
{{- include "postrider.checkAuthorities" . }}
{{- if and .Values.kafka.tls.existingSecret (not .Values.kafka.tls.enabled) }}{{ fail "kafka.tls.existingSecret is given, but kafka.tls.enabled is false, so connections to the brokers would not use TLS: set kafka.tls.enabled to true, or remove the secret" }}{{ end }}
{{- if and .Values.schemaRegistry.tls.existingSecret (not (hasPrefix "https://" .Values.schemaRegistry.url)) }}{{ fail "schemaRegistry.tls.existingSecret is given, but schemaRegistry.url is no https:// address, so connections to the registry would not use TLS: change the address, or remove the secret" }}{{ end }}
{{- if and .Values.tracing.tls.existingSecret (not (hasPrefix "https://" (toString (get .Values.config "OTEL_EXPORTER_OTLP_ENDPOINT")))) }}{{ fail "tracing.tls.existingSecret is given, but config.OTEL_EXPORTER_OTLP_ENDPOINT is no https:// address, so nothing would use it: change the address, or remove the secret" }}{{ end }}
{{- if and .Values.mongodb.tls.clientCertificate (not .Values.mongodb.tls.existingSecret) }}{{ fail "mongodb.tls.existingSecret is missing: mongodb.tls.clientCertificate needs its client.pem" }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}{{ fail "ingress.host is missing: the api's public name" }}{{ end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.tlsSecret) (not .Values.ingress.tlsElsewhere) }}{{ fail "ingress.tlsSecret is missing: tokens and secrets would cross the network in plain text. Give a secret with the certificate, or set ingress.tlsElsewhere to true where a load balancer or an annotation provides TLS" }}{{ end }}
{{- range list "name" "instance" "component" }}
{{- $label := printf "app.kubernetes.io/%s" . }}
{{- if hasKey ($.Values.pods.labels | default dict) $label }}{{ fail (printf "pods.labels has %s, by which services and policies select the pods: choose another name" $label) }}{{ end }}
{{- end }}
{{- include "postrider.checkService" . }}
{{- include "postrider.checkConsole" . }}
{{- if and (get .Values.config "OAUTH_ISSUER") (not (get .Values.config "MCP_URL")) (or (not .Values.ingress.enabled) (contains "*" .Values.ingress.host)) }}{{ fail "config.MCP_URL is missing: access tokens of config.OAUTH_ISSUER are made for it. Give the URL of /mcp as its clients use it, like https://hooks.example.com/mcp" }}{{ end }}
{{- if gt (len (include "postrider.catalogue" .)) 1000000 }}{{ fail "eventCatalogue is larger than the 1 MB that a ConfigMap holds: apply it with \"admin catalogue apply\" instead" }}{{ end }}
{{- if and (hasKey .Values.config "EGRESS_PROXY") (or (hasKey .Values.secrets.create "EGRESS_PROXY") (hasKey .Values.secrets.from "EGRESS_PROXY")) }}{{ fail "EGRESS_PROXY is in config and in secrets: choose one" }}{{ end }}
{{- if regexMatch "://[^/?#]*:[^/?#]*@" (toString (get .Values.config "EGRESS_PROXY")) }}{{ fail "config.EGRESS_PROXY has a password, which would be readable in a ConfigMap: give it in secrets.existingSecret, secrets.from or secrets.create" }}{{ end }}
{{- if and .Values.keda.enabled (gt (int .Values.keda.maxReplicas) (int .Values.topics.partitions)) }}{{ fail (printf "keda.maxReplicas is %v, more than the %v partitions of topics.partitions: the rest would have nothing to do" .Values.keda.maxReplicas .Values.topics.partitions) }}{{ end }}
{{- if gt (int .Values.keda.minReplicas) (int .Values.keda.maxReplicas) }}{{ fail (printf "keda.minReplicas is %v, more than the %v of keda.maxReplicas" .Values.keda.minReplicas .Values.keda.maxReplicas) }}{{ end }}
{{- if and .Values.keda.enabled (eq .Values.profile "all") }}{{ fail "keda.enabled is true, but with profile all there is no dispatcher of its own to scale: choose one" }}{{ end }}
{{- with .Values.keda.prometheusAuthentication }}
{{- if and .modes (not .name) }}{{ fail "keda.prometheusAuthentication.name is missing: keda.prometheusAuthentication.modes needs a TriggerAuthentication with the credentials" }}{{ end }}
{{- if and .name (not $.Values.keda.prometheusAddress) }}{{ fail "keda.prometheusAuthentication.name is given, but keda.prometheusAddress is empty, so nothing would use it: give the address, or remove the name" }}{{ end }}
{{- end }}
{{- include "postrider.checkTimes" . }}
{{- include "postrider.checkPorts" . }}
{{- if .Values.networkPolicies.enabled }}{{ include "postrider.checkPolicies" . }}{{ end }}
{{- end }}

{{/* Secrets of which nothing would be used, and an authority that the sender of webhooks would trust. */}}
{{- define "postrider.checkAuthorities" -}}
{{- range $server, $tls := dict "kafka" .Values.kafka.tls "mongodb" .Values.mongodb.tls }}
{{- if and $tls.existingSecret (not $tls.customCa) (not $tls.clientCertificate) }}{{ fail (printf "%s.tls.existingSecret is given, but %s.tls.customCa and %s.tls.clientCertificate are false, so nothing of it would be used: set one of them to true, or remove the secret" $server $server $server) }}{{ end }}
{{- end }}
{{- if and .Values.api.caSecret (eq .Values.profile "all") }}{{ fail "api.caSecret is given, but with profile all the process that would trust this authority also sends the webhooks, and would accept its certificates from every receiver: choose profile separate, or remove the secret" }}{{ end }}
{{- end }}

{{/* The api itself provides no TLS, and such a service is open outside the cluster. */}}
{{- define "postrider.checkService" -}}
{{- $type := .Values.api.service.type }}
{{- if and (ne $type "ClusterIP") (not .Values.api.service.tlsElsewhere) }}{{ fail (printf "api.service.type is %s, but api.service.tlsElsewhere is false: tokens and secrets would cross the network in plain text. Use an ingress, or set api.service.tlsElsewhere to true where a load balancer in front or an annotation provides TLS" $type) }}{{ end }}
{{- /* An ingress often needs ports of the nodes, and then the chart trusts it. */}}
{{- $derived := and (eq $type "NodePort") .Values.ingress.enabled }}
{{- if and (ne $type "ClusterIP") (not $derived) (not (include "postrider.has" (dict "root" . "name" "TRUST_PROXY"))) }}{{ fail (printf "config.TRUST_PROXY is missing: api.service.type is %s, so TLS ends in a proxy in front, whose address every caller would have. Give the number of proxies that add to X-Forwarded-For, mostly 1, or their address ranges; 0 if none does" $type) }}{{ end }}
{{- end }}

{{/* Portal links carry tokens to CONSOLE_URL. The api itself provides no TLS: where the address has it, there is a proxy. */}}
{{- define "postrider.checkConsole" -}}
{{- with toString (get .Values.config "CONSOLE_URL") }}
{{- if not (regexMatch "^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])([:/]|$))" .) }}{{ fail "config.CONSOLE_URL is no https:// address: portal links would carry their tokens in plain text. Leave it out, and the chart sets it to the console of ingress.host" }}{{ end }}
{{- if and (hasPrefix "https://" .) (not $.Values.ingress.enabled) (not (include "postrider.has" (dict "root" $ "name" "TRUST_PROXY"))) }}{{ fail "config.TRUST_PROXY is missing: config.CONSOLE_URL is an https:// address, so TLS ends in a proxy in front, whose address every caller would have. Give the number of proxies that add to X-Forwarded-For, mostly 1, or their address ranges; 0 if none does" }}{{ end }}
{{- end }}
{{- end }}

{{/* Ports that do not exist: a pod that starts with one cannot connect, and its policy would be invalid. */}}
{{- define "postrider.checkPorts" -}}
{{- $addresses := dict "image.repository" .Values.image.repository "kafka.brokers" .Values.kafka.brokers "schemaRegistry.url" .Values.schemaRegistry.url "keda.prometheusAddress" .Values.keda.prometheusAddress "test.url" .Values.test.url }}
{{- range list "CONSOLE_URL" "EGRESS_PROXY" "MCP_URL" "OAUTH_ISSUER" "OAUTH_JWKS_URL" "OTEL_EXPORTER_OTLP_ENDPOINT" "OUTAGE_GUARD_REFERENCES" }}
{{- $addresses = set $addresses (printf "config.%s" .) (get $.Values.config .) }}
{{- end }}
{{- range list "EGRESS_PROXY" "MONGODB_URI" }}
{{- $addresses = set $addresses (printf "secrets.create.%s" .) (get $.Values.secrets.create .) }}
{{- end }}
{{- $ports := dict "config.EGRESS_PORTS" (regexFindAll "[0-9]+" (include "postrider.text" (get .Values.config "EGRESS_PORTS")) -1) }}
{{- range $name, $several := $addresses }}
{{- $found := list }}
{{- /* The options of a database address may have commas and colons, too. */}}
{{- range splitList "," (regexReplaceAll "[?].*" (toString $several) "") }}{{ $found = append $found (regexFind "^([a-z0-9+]+://)?[^/?#]+" (trim .) | regexFind ":[0-9]+$" | trimPrefix ":") }}{{ end }}
{{- $ports = set $ports $name (compact $found) }}
{{- end }}
{{- range $name, $found := $ports }}{{ range $found }}
{{- if or (lt (float64 .) 1.0) (gt (float64 .) 65535.0) }}{{ fail (printf "%s has the port %s, but ports are 1 to 65535" $name .) }}{{ end }}
{{- end }}{{ end }}
{{- end }}

{{/* Spans of time that have to fit into what the cluster grants. */}}
{{- define "postrider.checkTimes" -}}
{{- with get .Values.config "START_TIMEOUT" }}
{{- if gt (include "postrider.seconds" (dict "name" "START_TIMEOUT" "duration" .) | float64) 110.0 }}{{ fail (printf "config.START_TIMEOUT is %v, more than 110s: a pod that does not listen after 120 s is ended by its startup probe, before it reports what is missing" .) }}{{ end }}
{{- end }}
{{- $budget := get .Values.config "TIME_BUDGET" | default "10m" }}
{{- $least := addf (include "postrider.seconds" (dict "name" "TIME_BUDGET" "duration" $budget) | float64) 300 | ceil | int }}
{{- if lt (int .Values.janitor.activeDeadlineSeconds) $least }}{{ fail (printf "janitor.activeDeadlineSeconds is %v, too short for config.TIME_BUDGET of %v: give it %d or more, since a run also starts and sends the digest" .Values.janitor.activeDeadlineSeconds $budget $least) }}{{ end }}
{{- end }}

{{/* A duration in seconds. Call with (dict "name" "TIME_BUDGET" "duration" "10m"). */}}
{{- define "postrider.seconds" -}}
{{- $duration := toString .duration }}
{{- if not (regexMatch "^[0-9]{1,9}(ms|s|m|h|d)$" $duration) }}{{ fail (printf "config.%s: %q is not a duration: write it like 250ms, 30s, 5m or 24h" .name $duration) }}{{ end }}
{{- $unit := get (dict "ms" 0.001 "s" 1.0 "m" 60.0 "h" 3600.0 "d" 86400.0) (regexFind "[a-z]+$" $duration) }}
{{- mulf (regexFind "^[0-9]+" $duration | float64) $unit }}
{{- end }}

{{/* A rule without peers would open its port towards every address. */}}
{{- define "postrider.checkPolicies" -}}
{{- $needed := list "dns" "kafka" "mongodb" "schemaRegistry" }}
{{- if get .Values.config "OTEL_EXPORTER_OTLP_ENDPOINT" }}{{ $needed = append $needed "collector" }}{{ end }}
{{- if get .Values.config "OAUTH_ISSUER" }}{{ $needed = append $needed "authorizationServer" }}{{ end }}
{{- if eq (include "postrider.hasEgressProxy" .) "true" }}{{ $needed = append $needed "egressProxy" }}{{ end }}
{{- range $needed }}
{{- if not (index $.Values.networkPolicies .).to }}{{ fail (printf "networkPolicies.%s.to is missing: the namespaces or address ranges of its servers, like [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kafka}}}] or [{ipBlock: {cidr: 10.20.0.0/16}}]" .) }}{{ end }}
{{- if eq (include "postrider.policyPorts" (dict "root" $ "of" .)) "[]" }}{{ fail (printf "networkPolicies.%s.ports is missing: its address is in a secret, so its port has to be given" .) }}{{ end }}
{{- end }}
{{- end }}
