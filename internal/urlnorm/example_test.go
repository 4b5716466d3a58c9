package urlnorm_test

import (
	"errors"
	"fmt"

	"github.com/mapatools/mapa/internal/urlnorm"
)

func ExampleBase_AppendResolve() {
	base, err := urlnorm.NewBase([]byte("https://example.org/shop/index.html"))
	if err != nil {
		fmt.Println(err)
		return
	}
	var url []byte
	for _, ref := range []string{"../about us", "//B\u00fccher.example", "?page=2#list", "mailto:a@example.org",
		"http://a b/"} {
		url, err = base.AppendResolve(url[:0], []byte(ref))
		var scheme urlnorm.SchemeError
		switch {
		case errors.As(err, &scheme):
			fmt.Println("not fetched:", string(scheme))
		case err != nil:
			fmt.Println(err)
		default:
			fmt.Println(string(url))
		}
	}
	// Output:
	// https://example.org/about%20us
	// https://xn--bcher-kva.example/
	// https://example.org/shop/index.html?page=2
	// not fetched: mailto
	// not a valid URL: host missing or malformed
}

func ExampleAppendKey() {
	strip := urlnorm.NewParameters(append(urlnorm.TrackingParameters, urlnorm.SessionParameters...)...)
	for _, url := range []string{
		"https://example.org/%7Eshop/?page=2",
		"https://example.org/~shop/?utm_source=news&page=2&PHPSESSID=1f",
		"https://example.org/~shop/;jsessionid=1f?page=2#list",
	} {
		key := urlnorm.AppendKey(nil, []byte(url), urlnorm.KeyOptions{Strip: strip, SortQuery: true})
		fmt.Println(string(key))
	}
	// Output:
	// https://example.org/~shop/?page=2
	// https://example.org/~shop/?page=2
	// https://example.org/~shop/?page=2
}
