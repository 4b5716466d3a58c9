package sitemap

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
)

// maxGroups bounds the buffers of files that are open at once, each of about
// 300 KiB and with Gzip 1 MiB.
const maxGroups = 32

// maxGroupName leaves room for the rest of a file's name, which has up to 255 bytes.
const maxGroupName = 100

var (
	errGroupName = fmt.Errorf("a group's name consists of a-z, 0-9 and single hyphens, and has up to %d characters",
		maxGroupName)
	errManyGroups = fmt.Errorf("a set has at most %d groups", maxGroups)
)

// groupName matches the names of groups, which are part of file names and URLs.
var groupName = pattern(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// CheckGroupName returns an error that says why a group cannot have the name, or
// nil if it can.
func CheckGroupName(name string) error {
	if len(name) > maxGroupName || !groupName().MatchString(name) {
		return fmt.Errorf("%w: %q", errGroupName, name)
	}
	return nil
}

// A Group is a part of a [Folder]'s set with sitemaps of its own, such as
// sitemap-products-1.xml, that the same index lists. A page may be in several
// groups.
type Group struct {
	folder *Folder
	name   string // empty for the pages of no group
	parts  *parts
}

// Group returns the group of a name, and adds it to the set if needed. The name
// consists of a-z, 0-9 and single hyphens. The zero fields of limits are those of
// the set. A set with groups always has an index, and a group without pages has no
// file. A set may have 32 groups.
func (f *Folder) Group(name string, limits Limits) (*Group, error) {
	for _, g := range f.groups {
		if g.name == name && name != "" {
			return g, nil
		}
	}
	if err := CheckGroupName(name); err != nil {
		return nil, err
	}
	if len(f.groups) > maxGroups {
		return nil, errManyGroups
	}
	options := f.options
	options.Limits.URLs = cmp.Or(limits.URLs, options.Limits.URLs)
	options.Limits.Bytes = cmp.Or(limits.Bytes, options.Limits.Bytes)
	f.background.allowAnother()
	return f.addGroup(name, options), nil
}

// addGroup keeps the groups in the order of their names, the nameless one first, so
// that the index does not depend on which was used first.
func (f *Folder) addGroup(name string, options SetOptions) *Group {
	g := &Group{folder: f, name: name}
	g.parts = newParts(options, f.background, g.createPart)
	at, _ := slices.BinarySearchFunc(f.groups, name, func(g *Group, name string) int { return cmp.Compare(g.name, name) })
	f.groups = slices.Insert(f.groups, at, g)
	return g
}

// Write adds a page. Its errors are those of [Folder.Write].
func (g *Group) Write(u *URL) error {
	if g.folder.prepared || g.folder.done {
		return errClosed
	}
	return g.parts.write(u)
}

// Count returns the number of pages written.
func (g *Group) Count() int { return g.parts.count }

// stem returns the name of a part without suffix and extension.
func (g *Group) stem(number int) string {
	stem := g.folder.options.Name + "-"
	if g.name != "" {
		stem += g.name + "-"
	}
	return stem + strconv.Itoa(number)
}

func (g *Group) partName(number int) string {
	return g.stem(number) + g.folder.suffix + g.folder.options.extension()
}
