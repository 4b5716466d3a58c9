package access_test

import (
	"fmt"

	"github.com/mapatools/mapa/access"
)

func ExampleParseRate() {
	rate, err := access.ParseRate("0.5")
	fmt.Println(rate.Limit(), err)
	unlimited, err := access.ParseRate("0")
	fmt.Println(unlimited == access.PerSecond(0), err)
	fmt.Println(access.Rate{}.Limit(), "is the default")
	// Output:
	// 0.5 <nil>
	// true <nil>
	// 20 is the default
}

func ExampleAccess_SetBasicAuth() {
	a := access.Access{Rate: access.PerSecond(2), UserAgent: "ShopBot/1.0"}
	a.SetBasicAuth("https://preview.example.com", "me", "secret")
	fmt.Println(a.Headers["https://preview.example.com"])
	// Output:
	// map[Authorization:[Basic bWU6c2VjcmV0]]
}
