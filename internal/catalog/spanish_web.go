package catalog

// spanishWeb are the texts of the web application.
var spanishWeb = map[string]string{}
