package outputs

import (
	"path/filepath"
	"slices"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/mapatools/mapa/internal/atomicfile"
	"github.com/mapatools/mapa/internal/publish"
)

// sitemapOutputs are the outputs that search engines read as sitemaps, the best first.
var sitemapOutputs = []publish.Output{
	publish.OutputXML, publish.OutputText, publish.OutputRSS, publish.OutputAtom,
}

func isSitemapOutput(o publish.Output) bool { return slices.Contains(sitemapOutputs, o) }

// CheckRobotsTxt validates the file of the robots-txt setting, which must not be one of
// the sources.
func CheckRobotsTxt(name string, sources *atomicfile.FileSet) error {
	if name == "" {
		return nil
	}
	if err := (Output{"robots-txt", name}).Check(sources); err != nil {
		return err
	}
	if _, err := readRobotsFile(name); err != nil {
		return setting.Wrap("robots-txt", err)
	}
	return nil
}

// SetSitemapLine names the published sitemap in the robots.txt of the settings, if there
// is one. It returns the path of that file.
func (s *PublishSettings) SetSitemapLine(folderURL string, files []string) (string, error) {
	if s.RobotsTxt == "" {
		return "", nil
	}
	name := ""
	for _, output := range sitemapOutputs {
		is := func(file string) bool { return publish.IsOutput(filepath.Base(file), []publish.Output{output}) }
		if i := slices.IndexFunc(files, is); i >= 0 {
			name = filepath.Base(files[i])
			break
		}
	}
	if name == "" {
		return "", nil
	}
	_, err := PatchRobots(s.RobotsTxt, folderURL+name)
	return s.RobotsTxt, err
}
