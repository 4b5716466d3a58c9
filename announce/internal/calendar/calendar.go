// Package calendar knows when the days and months of providers begin, by which they count
// quotas.
package calendar

import "time"

// A Zone is the time zone in which a provider's days begin.
type Zone string

// The zones of the providers. Google counts days in Pacific time
// (https://developers.google.com/webmaster-tools/limits), Yandex answers with Moscow
// time, and Baidu is in China. Bing says nothing, so UTC is assumed.
const (
	Pacific  Zone = "America/Los_Angeles"
	Moscow   Zone = "Europe/Moscow"
	Shanghai Zone = "Asia/Shanghai"
	UTC      Zone = "UTC"
)

// offsets are used where the system has no time zones. Pacific is that of winter, so
// that nothing is sent too early.
var offsets = map[Zone]int{Pacific: -8, Moscow: 3, Shanghai: 8}

func (z Zone) location() *time.Location {
	if location, err := time.LoadLocation(string(z)); err == nil {
		return location
	}
	return time.FixedZone(string(z), offsets[z]*60*60)
}

// Day returns the beginning and the end of the day of a time in the zone.
func (z Zone) Day(at time.Time) (since, until time.Time) {
	at = at.In(z.location())
	year, month, day := at.Date()
	return time.Date(year, month, day, 0, 0, 0, 0, at.Location()),
		time.Date(year, month, day+1, 0, 0, 0, 0, at.Location())
}

// Month returns the beginning and the end of the month of a time in the zone.
func (z Zone) Month(at time.Time) (since, until time.Time) {
	at = at.In(z.location())
	year, month, _ := at.Date()
	return time.Date(year, month, 1, 0, 0, 0, 0, at.Location()),
		time.Date(year, month+1, 1, 0, 0, 0, 0, at.Location())
}
