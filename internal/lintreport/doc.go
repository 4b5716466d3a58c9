// Package lintreport writes the findings of package lint as text, JSON, JSON Lines,
// SARIF, JUnit, GitHub annotations or HTML, and the documentation of the rules.
package lintreport
