package web

// pageRoutes returns the routes of the pages for people.
func (s *Server) pageRoutes() []route {
	service := s.options.Service
	return []route{
		{pattern: "GET /{$}", role: roleVisitor, handle: s.pageStart},
		{pattern: "GET /about", role: roleNone, handle: s.pageAbout},
		{pattern: "GET /static/{name}", role: roleNone, handle: s.serveAsset},
		{pattern: "POST /language", role: roleNone, handle: s.setLanguage},

		{pattern: "GET /owner", role: roleVisitor, handle: s.pageOwner},
		{pattern: "POST /owner", role: roleVisitor, handle: s.proveOwner},

		{pattern: "POST /crawls", role: roleVisitor, handle: s.start},
		{pattern: "GET /crawls", role: roleVisitor, handle: s.goHome}, // whoever loads the page of a wrong form again
		{pattern: "GET /crawls/{id}", role: roleVisitor, handle: s.pageCrawl, shared: true},
		{pattern: "POST /crawls/{id}/pause", role: roleOwner, handle: s.control(service.Pause)},
		{pattern: "POST /crawls/{id}/resume", role: roleOwner, handle: s.control(service.Resume)},
		{pattern: "POST /crawls/{id}/stop", role: roleVisitor, handle: s.pageStop},
		{pattern: "POST /crawls/{id}/delete", role: roleOwner, handle: s.pageDelete},
		{pattern: "GET /crawls/{id}/findings", role: roleVisitor, handle: s.pageFindings, shared: true},
		{pattern: "GET /crawls/{id}/pages", role: roleVisitor, handle: s.pagePages, shared: true},
		{pattern: "GET /crawls/{id}/pages/{page}", role: roleVisitor, handle: s.pageURL, shared: true},
		{pattern: "GET /crawls/{id}/pages/{page}/links", role: roleVisitor, handle: s.pageLinks, shared: true},
		{pattern: "GET /crawls/{id}/tree", role: roleVisitor, handle: s.pageTree, shared: true},
		{pattern: "GET /crawls/{id}/changes", role: roleVisitor, handle: s.pageChanges, shared: true},
		{pattern: "GET /crawls/{id}/export", role: roleVisitor, handle: s.export, shared: true},

		{pattern: "GET /crawls/{id}/shares", role: roleOwner, handle: s.pageShares},
		{pattern: "POST /crawls/{id}/shares", role: roleOwner, handle: s.share},
		{pattern: "POST /crawls/{id}/shares/{share}/revoke", role: roleOwner, handle: s.revokeShare},
		{pattern: "GET /sites/{name}/shares", role: roleOwner, handle: s.pageShares},
		{pattern: "POST /sites/{name}/shares", role: roleOwner, handle: s.share},
		{pattern: "POST /sites/{name}/shares/{share}/revoke", role: roleOwner, handle: s.revokeShare},
		{pattern: "GET /shares", role: roleOwner, handle: s.pageShares},

		{pattern: "GET /sites", role: roleReader, handle: s.pageSites},
		{pattern: "GET /sites/{name}", role: roleReader, handle: s.pageSite},
		{pattern: "POST /sites/{name}/labels", role: roleOwner, handle: s.labelSite},
		{pattern: "POST /sites/{name}/delete", role: roleOwner, handle: s.deleteSite},
		{pattern: "POST /sites/{name}/figures", role: roleOwner, handle: s.pageAddFigures, body: maxFigures + maxBody},
		{pattern: "GET /sites/{name}/ignored", role: roleReader, handle: s.pageIgnored},
		{pattern: "GET /sites/{name}/ignore", role: roleOwner, handle: s.pageIgnore},
		{pattern: "POST /sites/{name}/ignore", role: roleOwner, handle: s.ignore},
		{pattern: "POST /sites/{name}/ignored/losses", role: roleOwner, handle: s.ignoreLosses},
		{pattern: "POST /sites/{name}/ignored/forget", role: roleOwner, handle: s.forgetIgnored},
		{pattern: "POST /sites/{name}/ignored", role: roleOwner, handle: s.importIgnored, body: maxIgnored + maxBody},
		{pattern: "GET /compare", role: roleReader, handle: s.pageCompare},
		{pattern: "GET /compare/export", role: roleReader, handle: s.exportCompare},
		{pattern: "GET /schedules", role: roleReader, handle: s.pageSchedules},
		{pattern: "GET /schedules/new", role: roleOwner, handle: s.pageNewSchedule},
		{pattern: "GET /schedules/many", role: roleOwner, handle: s.pageMany},
		{pattern: "POST /schedules/many", role: roleOwner, handle: s.addMany},
		{pattern: "POST /schedules", role: roleOwner, handle: s.saveSchedule},
		{pattern: "GET /schedules/{id}", role: roleOwner, handle: s.pageSchedule},
		{pattern: "POST /schedules/{id}", role: roleOwner, handle: s.saveSchedule},
		{pattern: "POST /schedules/{id}/run", role: roleOwner, handle: s.runSchedule},
		{pattern: "POST /schedules/{id}/delete", role: roleOwner, handle: s.deleteSchedule},

		{pattern: "GET /tools/lint", role: roleVisitor, handle: s.pageLint, starts: true},
		{pattern: "POST /tools/lint", role: roleVisitor, handle: s.lintSitemap, body: maxUpload + maxBody},
		{pattern: "GET /tools/robots", role: roleVisitor, handle: s.pageRobots, starts: true},
		{pattern: "POST /tools/robots", role: roleVisitor, handle: s.testRobots, body: maxRobots},
		{pattern: "GET /tools/why", role: roleReader, handle: s.pageWhy},
	}
}
