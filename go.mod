module github.com/mapatools/mapa

go 1.26
