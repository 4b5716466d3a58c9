package format

import (
	"bufio"
	"encoding/xml"
	"io"
	"time"
)

// JUnit writes test suites in the XML of Ant's JUnit task, which Jenkins reads
// (https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd). It is not safe
// for concurrent use.
type JUnit struct {
	out  *bufio.Writer
	time string
	next int
	err  error
}

// JUnitSuite holds the checks of one file or page.
type JUnitSuite struct {
	Name  string
	Cases []JUnitCase
	// Output is shown with the suite.
	Output string
}

// JUnitCase is the check of one rule. It fails when it has a message.
type JUnitCase struct {
	Name    string
	Message string // one line, or empty
	Level   string // of the failure
	Details string // lines
}

type suiteElement struct {
	XMLName    xml.Name      `xml:"testsuite"`
	Name       string        `xml:"name,attr"`
	Package    string        `xml:"package,attr"`
	ID         int           `xml:"id,attr"`
	Timestamp  string        `xml:"timestamp,attr"`
	Hostname   string        `xml:"hostname,attr"`
	Tests      int           `xml:"tests,attr"`
	Failures   int           `xml:"failures,attr"`
	Errors     int           `xml:"errors,attr"`
	Time       string        `xml:"time,attr"`
	Properties struct{}      `xml:"properties"`
	Cases      []caseElement `xml:"testcase"`
	Out        string        `xml:"system-out"`
	Err        string        `xml:"system-err"`
}

type caseElement struct {
	Name    string          `xml:"name,attr"`
	Class   string          `xml:"classname,attr"`
	Time    string          `xml:"time,attr"`
	Failure *failureElement `xml:"failure"`
}

type failureElement struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// NewJUnit begins a report of suites that ran at the given time.
func NewJUnit(w io.Writer, now time.Time) *JUnit {
	j := &JUnit{out: bufio.NewWriter(w), time: now.UTC().Format("2006-01-02T15:04:05")}
	_, j.err = j.out.WriteString(xml.Header + "<testsuites>\n")
	return j
}

// Write adds a suite. encoding/xml replaces characters that XML does not allow.
func (j *JUnit) Write(s *JUnitSuite) error {
	if j.err != nil {
		return j.err
	}
	suite := suiteElement{
		Name: Printable(s.Name), Package: "mapa", ID: j.next, Timestamp: j.time, Hostname: "localhost",
		Tests: len(s.Cases), Time: "0", Out: s.Output,
	}
	j.next++
	for _, c := range s.Cases {
		test := caseElement{Name: Printable(c.Name), Class: suite.Name, Time: "0"}
		if c.Message != "" {
			suite.Failures++
			test.Failure = &failureElement{Message: Printable(c.Message), Type: c.Level, Text: c.Details}
		}
		suite.Cases = append(suite.Cases, test)
	}
	text, err := xml.MarshalIndent(suite, "", " ")
	if err == nil {
		_, err = j.out.Write(append(text, '\n'))
	}
	j.err = err
	return err
}

// Close ends the report and flushes it. It does not close the underlying writer.
func (j *JUnit) Close() error {
	if j.err != nil {
		return j.err
	}
	if _, err := j.out.WriteString("</testsuites>\n"); err != nil {
		return err
	}
	return j.out.Flush()
}
