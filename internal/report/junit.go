package report

import (
	"bufio"
	"encoding/xml"
	"io"
	"time"
)

// JUnit writes test suites as Ant's JUnit task does and Jenkins reads them
// (https://github.com/windyroad/JUnit-Schema/blob/master/JUnit.xsd). It is for one
// goroutine.
type JUnit struct {
	out  *bufio.Writer
	time string
	next int
	err  error
}

// A Suite is what was checked of one file or page.
type Suite struct {
	Name  string
	Cases []Case
	// Output is shown with the suite and fails nothing.
	Output string
}

// A Case is one rule; it fails when it has a message.
type Case struct {
	Name    string
	Message string // one line, or empty
	Level   string // of the failure
	Details string // lines
}

type junitSuite struct {
	XMLName    xml.Name    `xml:"testsuite"`
	Name       string      `xml:"name,attr"`
	Package    string      `xml:"package,attr"`
	ID         int         `xml:"id,attr"`
	Timestamp  string      `xml:"timestamp,attr"`
	Hostname   string      `xml:"hostname,attr"`
	Tests      int         `xml:"tests,attr"`
	Failures   int         `xml:"failures,attr"`
	Errors     int         `xml:"errors,attr"`
	Time       string      `xml:"time,attr"`
	Properties struct{}    `xml:"properties"`
	Cases      []junitCase `xml:"testcase"`
	Out        string      `xml:"system-out"`
	Err        string      `xml:"system-err"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Time    string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// NewJUnit begins a report of suites that ran at a time.
func NewJUnit(w io.Writer, now time.Time) *JUnit {
	j := &JUnit{out: bufio.NewWriter(w), time: now.UTC().Format("2006-01-02T15:04:05")}
	_, j.err = j.out.WriteString(xml.Header + "<testsuites>\n")
	return j
}

// Write adds a suite. encoding/xml replaces what XML cannot hold.
func (j *JUnit) Write(s *Suite) error {
	if j.err != nil {
		return j.err
	}
	suite := junitSuite{
		Name: Printable(s.Name), Package: "mapa", ID: j.next, Timestamp: j.time, Hostname: "localhost",
		Tests: len(s.Cases), Time: "0", Out: s.Output,
	}
	j.next++
	for _, c := range s.Cases {
		test := junitCase{Name: Printable(c.Name), Class: suite.Name, Time: "0"}
		if c.Message != "" {
			suite.Failures++
			test.Failure = &junitFailure{Message: Printable(c.Message), Type: c.Level, Text: c.Details}
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

// Close ends the report. It does not close what is written to.
func (j *JUnit) Close() error {
	if j.err != nil {
		return j.err
	}
	if _, err := j.out.WriteString("</testsuites>\n"); err != nil {
		return err
	}
	return j.out.Flush()
}
