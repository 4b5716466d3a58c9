FROM --platform=$BUILDPLATFORM golang:1.26 AS build
ARG TARGETARCH
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 GOARCH=$TARGETARCH go build -trimpath -ldflags "-s -w" -o /mapa ./cmd/mapa && mkdir /data /work

# With Chromium, for crawls with --render: docker build --target chromium.
FROM debian:trixie-slim AS chromium
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates chromium-headless-shell \
 && rm -rf /var/lib/apt/lists/* \
 && groupadd --gid 65532 nonroot && useradd --uid 65532 --gid nonroot --create-home --shell /usr/sbin/nologin nonroot
COPY --from=build /mapa /usr/local/bin/mapa
COPY --from=build --chown=nonroot:nonroot /data /data
COPY --from=build --chown=nonroot:nonroot /work /work
USER nonroot
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/mapa"]

# static has the certificates of public authorities, and the user nonroot.
FROM gcr.io/distroless/static-debian13:nonroot AS mapa
COPY --from=build /mapa /usr/local/bin/mapa
COPY --from=build --chown=nonroot:nonroot /data /data
COPY --from=build --chown=nonroot:nonroot /work /work
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/mapa"]
