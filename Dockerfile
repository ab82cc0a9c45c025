# One image for all: its first argument chooses api, dispatcher, dlq-consumer, janitor, all, admin or cli.
# Target `demo` adds the demo and its receiver; the last target, which is the default, has neither.
ARG NODE_IMAGE=node:24-bookworm-slim

FROM ${NODE_IMAGE} AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY shared/package.json shared/
COPY client/package.json client/
COPY cli/package.json cli/
COPY console/package.json console/
COPY services/api/package.json services/api/
COPY services/dispatcher/package.json services/dispatcher/
COPY services/dlq-consumer/package.json services/dlq-consumer/
COPY services/janitor/package.json services/janitor/
COPY services/all/package.json services/all/

FROM manifests AS build
# npm reads its settings from the environment of the build; unset, they are npm's own.
ARG NPM_CONFIG_REGISTRY
ARG NODE_EXTRA_CA_CERTS
RUN npm ci --ignore-scripts
COPY . .
# The bundled programs, the files that they read by their own address, and their licences; no tests, no types.
RUN npm run build \
 && find shared/dist services/api/dist -name '*.d.ts' -delete \
 && mkdir /built \
 && cp --parents -r package.json dist shared/package.json shared/dist/src client/package.json cli/package.json \
    services/*/package.json services/api/dist/src services/api/openapi.json deploy/image LICENSE \
    docs/support.md docs/receiving.md docs/endpoint-options.md docs/publishing.md docs/event-catalogue.md docs/streams.md /built

# The dependencies of the services alone: those of the root include another Node.js.
FROM manifests AS dependencies
ARG NPM_CONFIG_REGISTRY
ARG NODE_EXTRA_CA_CERTS
RUN npm ci --ignore-scripts --omit=dev -w @postrider/shared -w @postrider/api -w @postrider/dispatcher \
    -w @postrider/dlq-consumer -w @postrider/janitor -w @postrider/all -w @postrider/cli \
 && find node_modules -name '*.d.ts' -delete -o -name '*.map' -delete

FROM ${NODE_IMAGE} AS demo
WORKDIR /app
ENV NODE_ENV=production
COPY --from=build /app /app
RUN ln -s /app/deploy/image/postrider.mjs /usr/local/bin/postrider
USER 1000:1000
ENTRYPOINT ["postrider"]

FROM ${NODE_IMAGE} AS services
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Postrider" \
      org.opencontainers.image.description="Outbound webhooks that lose nothing" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
WORKDIR /app
# Start-up refuses failpoints in production.
ENV NODE_ENV=production
# Half of this young generation costs a busy dispatcher 13 % more CPU, twice as much only adds 80 MB. With the small heap that
# Node chooses in a small container, garbage collection costs a quarter of its time; the larger the limit, the more the heap
# grows before it is collected.
ENV NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=1024"
# Each thread of Node that allocates would otherwise get an area of its own, which keeps what was freed in it.
ENV MALLOC_ARENA_MAX=2
# glibc raises both with each large buffer that is freed, up to 32 and 64 MB, and keeps as much of what was freed.
ENV MALLOC_MMAP_THRESHOLD_=131072
ENV MALLOC_TRIM_THRESHOLD_=131072
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /built .
RUN ln -s /app/deploy/image/postrider.mjs /usr/local/bin/postrider
# Numeric, so that Kubernetes can verify that it is not root.
USER 1000:1000
STOPSIGNAL SIGTERM
EXPOSE 8080 8081 9464
ENTRYPOINT ["postrider"]
CMD ["--help"]
