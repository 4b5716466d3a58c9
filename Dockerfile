FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w" -o /mapa ./cmd/mapa && mkdir /data

# static has the certificates of public authorities, and the user nonroot.
FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /mapa /usr/local/bin/mapa
COPY --from=build --chown=nonroot:nonroot /data /data
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/mapa"]
