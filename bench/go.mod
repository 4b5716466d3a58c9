module github.com/mapatools/mapa/bench

go 1.26.0

require (
	github.com/klauspost/compress v1.20.3
	github.com/mapatools/mapa v0.0.0
)

require (
	golang.org/x/net v0.62.0 // indirect
	golang.org/x/text v0.43.0 // indirect
)

replace github.com/mapatools/mapa => ../
