package main

import (
	"math/rand/v2"
	"strings"
)

// words are roughly in the order of their frequency.
var words = strings.Fields(`
the of and to in is that for it as was with be by on not this are or from at which but
have an they their were all one can has more when will would if some there what about
time other into could its only new two may then first any work now such like our over
also most even after many before must through years where much way down should because
people each just those state good world still life between under last great place year
house water small large school while home part number against hand point number city
system night young early general public social order problem fact group government
country case question book word business side development program room history form
matter often today family surface paper company street morning level field market
office language table window river letter reason road idea music measure garden paint
bridge harbour island mountain valley winter summer bread butter stone timber copper
silver engine wheel carriage station railway signal season weather storm cloud rain
meadow forest orchard village castle kitchen cellar stairs corner picture mirror candle
library chapter margin index printer binding author reader editor journal parcel postage
kettle saucer spoon blanket pillow curtain lantern ladder hammer chisel anchor rudder
`)

// word picks a word, common ones more often.
func word(r *rand.Rand) string {
	return words[int(float64(len(words))*r.Float64()*r.Float64())]
}

// appendProse adds sentences until the page is so long, or a little more.
func appendProse(page []byte, length int, r *rand.Rand) []byte {
	for len(page) < length {
		for n := range 6 + r.IntN(12) {
			text := word(r)
			switch {
			case n == 0:
				page = append(page, text[0]&^0x20)
				text = text[1:]
			case r.IntN(9) == 0:
				page = append(page, ", "...)
			default:
				page = append(page, ' ')
			}
			page = append(page, text...)
		}
		page = append(page, ". "...)
	}
	return page
}
