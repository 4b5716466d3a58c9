package sitemap

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/mapatools/mapa/sitemap/internal/xmltext"
)

// appendVideo writes the children in the order of Google's schema.
func (w *Writer) appendVideo(v *Video, page string) error {
	w.openTag("video:video", videoVocabulary)
	e := element{w: w}
	e.raw(">")
	e.loc("video:thumbnail_loc", v.ThumbnailLoc)
	e.required("video:title", v.Title, atMost(MaxVideoTitle))
	e.required("video:description", v.Description, atMost(MaxVideoDescription))
	e.place(v, page)
	e.text("video:duration", v.Duration, between(0, MaxVideoSeconds))
	e.text("video:expiration_date", v.ExpirationDate, checkDate)
	e.text("video:rating", v.Rating, checkRating)
	for _, s := range v.ContentSegments {
		const name = "video:content_segment_loc"
		e.optional(name+" duration", s.Duration, between(0, MaxVideoSeconds))
		e.attributed(name, e.address(name, s.Loc), nil, "duration", s.Duration)
	}
	e.text("video:view_count", v.ViewCount, matches(digits))
	e.text("video:publication_date", v.PublicationDate, checkDate)
	if len(v.Tags) > MaxVideoTags && e.err == nil {
		e.err = &FieldError{Field: "video:tag", Err: ErrTooMany}
	}
	for _, tag := range v.Tags {
		e.text("video:tag", tag, nil)
	}
	e.text("video:category", v.Category, atMost(MaxVideoCategory))
	e.text("video:family_friendly", v.FamilyFriendly, checkYesOrNo)
	e.related("video:restriction", v.Restriction, matches(countries))
	if v.Gallery != (Gallery{}) {
		const name = "video:gallery_loc"
		e.attributed(name, e.address(name, v.Gallery.Loc), nil, "title", v.Gallery.Title)
	}
	for _, p := range v.Prices {
		e.price(p)
	}
	e.text("video:requires_subscription", v.RequiresSubscription, checkYesOrNo)
	e.uploader(v.Uploader)
	e.tvShow(v.TVShow)
	e.related("video:platform", v.Platform, matches(platforms))
	e.text("video:live", v.Live, checkYesOrNo)
	for _, id := range v.IDs {
		e.check("video:id type", id.Type, matches(catalogues))
		e.attributed("video:id", id.Value, nil, "type", id.Type)
	}
	e.others(v.Other)
	e.raw("</video:video>")
	return e.err
}

var (
	errNoLocation = errors.New("neither video:content_loc nor video:player_loc")
	errIsPage     = errors.New("the address of the page itself")
)

// place writes where the video is. Neither address may be that of the page.
func (e *element) place(v *Video, page string) {
	if v.ContentLoc == "" && v.Player.Loc == "" && e.err == nil {
		e.err = &FieldError{Field: "video:content_loc", Err: errNoLocation}
	}
	if v.ContentLoc != "" {
		e.elsewhere("video:content_loc", v.ContentLoc, page)
		e.loc("video:content_loc", v.ContentLoc)
	}
	if v.Player != (VideoPlayer{}) {
		const name = "video:player_loc"
		e.elsewhere(name, v.Player.Loc, page)
		e.optional(name+" allow_embed", v.Player.AllowEmbed, checkYesOrNo)
		e.attributed(name, e.address(name, v.Player.Loc), nil,
			"allow_embed", v.Player.AllowEmbed, "autoplay", v.Player.Autoplay)
	}
}

// elsewhere checks that an address is not that of the page.
func (e *element) elsewhere(name, loc, page string) {
	if e.address(name, loc) == e.address("loc", page) && e.err == nil {
		e.err = &FieldError{Field: name, Value: excerpt([]byte(loc)), Err: errIsPage}
	}
}

func (e *element) uploader(u Uploader) {
	if u == (Uploader{}) {
		return
	}
	if u.Info != "" {
		u.Info = e.address("video:uploader info", u.Info)
	}
	e.attributed("video:uploader", u.Name, atMost(MaxVideoUploader), "info", u.Info)
}

func (e *element) related(name string, r Restriction, check func(string) error) {
	if r == (Restriction{}) {
		return
	}
	if r.Relationship != "allow" && r.Relationship != "deny" && e.err == nil {
		e.err = &FieldError{Field: name + " relationship", Value: excerpt([]byte(r.Relationship)), Err: errRelationship}
	}
	e.attributed(name, r.List, check, "relationship", r.Relationship)
}

var errRelationship = errors.New("neither allow nor deny")

// price writes what the video costs. An amount means nothing without its
// currency, and no amount only something with a type.
func (e *element) price(p Price) {
	switch {
	case p.Amount == "":
		e.check("video:price type", p.Type, checkNotEmpty)
	default:
		e.check("video:price currency", p.Currency, checkNotEmpty)
	}
	e.optional("video:price currency", p.Currency, matches(currency))
	e.optional("video:price type", p.Type, oneOf("rent", "RENT", "purchase", "PURCHASE"))
	e.optional("video:price resolution", p.Resolution, oneOf("sd", "SD", "hd", "HD"))
	e.optional("video:price", p.Amount, matches(decimal))
	e.attributed("video:price", p.Amount, nil,
		"currency", p.Currency, "type", p.Type, "resolution", p.Resolution)
}

func (e *element) tvShow(s *TVShow) {
	if s == nil {
		return
	}
	e.raw("<video:tvshow>")
	e.required("video:show_title", s.ShowTitle, nil)
	e.required("video:video_type", s.VideoType, oneOf("full", "preview", "clip", "interview", "news", "other"))
	e.text("video:episode_title", s.EpisodeTitle, nil)
	e.text("video:season_number", s.SeasonNumber, between(1, math.MaxInt32))
	e.text("video:episode_number", s.EpisodeNumber, between(1, math.MaxInt32))
	e.text("video:premier_date", s.PremierDate, checkDate)
	e.raw("</video:tvshow>")
}

// The forms that Google's schemas give as patterns.
var (
	digits       = pattern(`^[0-9]+$`)
	decimal      = pattern(`^([0-9]+(\.[0-9]*)?|\.[0-9]+)$`)
	currency     = pattern(`^[A-Z]{3}$`)
	countries    = pattern(`^([A-Z]{2}( +[A-Z]{2})*)?$`)
	catalogues   = pattern(`^((tms|rovi):(series|program)|freebase|url)$`)
	platforms    = pattern(`^((web|mobile|tv)( (web|mobile|tv))*)?$`)
	newsLanguage = pattern(`^(zh-cn|zh-tw|[a-z]{2,3})$`)
	newsGenres   = pattern(`^(PressRelease|Satire|Blog|OpEd|Opinion|UserGenerated)(, *(PressRelease|Satire|Blog|OpEd|Opinion|UserGenerated))*$`)
	newsTickers  = pattern(`^(\w+:\w+(, *\w+:\w+){0,4})?$`)
	errForm      = errors.New("not of the form that the vocabulary allows")
)

func matches(form func() *regexp.Regexp) func(string) error {
	return func(value string) error {
		if !form().MatchString(value) {
			return errForm
		}
		return nil
	}
}

func checkNotEmpty(value string) error {
	if strings.Trim(value, xmltext.Whitespace) == "" {
		return ErrMissing
	}
	return nil
}

func oneOf(values ...string) func(string) error {
	return func(value string) error {
		if !slices.Contains(values, value) {
			return fmt.Errorf("not one of %s", strings.Join(values, ", "))
		}
		return nil
	}
}

func checkYesOrNo(value string) error {
	return oneOf("yes", "Yes", "YES", "no", "No", "NO")(value)
}

func atMost(characters int) func(string) error {
	return func(value string) error {
		if utf8.RuneCountInString(value) > characters {
			return fmt.Errorf("longer than %d characters", characters)
		}
		return nil
	}
}

func between(low, high int) func(string) error {
	return func(value string) error {
		if n, err := strconv.Atoi(value); err != nil || n < low || n > high || !digits().MatchString(value) {
			return fmt.Errorf("not a number from %d to %d", low, high)
		}
		return nil
	}
}

func checkRating(value string) error {
	if n, err := strconv.ParseFloat(value, 64); err != nil || n < 0 || n > 5 || !decimal().MatchString(value) {
		return errors.New("not a number from 0.0 to 5.0")
	}
	return nil
}

// checkDate requires what Google's schemas do: xsd:date or xsd:dateTime.
func checkDate(value string) error {
	d, err := ParseDate(value)
	if err != nil {
		return ErrDate
	}
	if d.Dialects()&DialectXSD == 0 {
		return fmt.Errorf("%w of the form YYYY-MM-DD or YYYY-MM-DDThh:mm:ss+00:00", ErrDate)
	}
	return nil
}

func checkAddress(value string) error {
	_, err := EncodeLoc(value)
	return err
}
