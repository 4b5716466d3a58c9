package catalog

// englishWeb are the texts of the web application.
var englishWeb = map[string]string{}
