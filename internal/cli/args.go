package cli

import (
	"fmt"
	"strings"

	"github.com/mapatools/mapa/internal/app/setting"
	"github.com/spf13/cobra"
)

func noCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var err error = &helpError{fmt.Errorf("unknown command %q", args[0])}
	var names []string
	for _, command := range c.Commands() {
		if command.IsAvailableCommand() {
			names = append(names, command.Name())
		}
	}
	near := setting.Nearest(args[0], names)
	switch isSite := strings.ContainsAny(args[0], ".:"); {
	case near != "":
		err = fmt.Errorf("unknown command %q: did you mean %s?", args[0], near)
	case isSite && !c.HasParent():
		err = fmt.Errorf("%q is no command: did you mean %s crawl %[1]s?", args[0], c.Name())
	}
	return &usageError{c, err}
}

// atLeastOne requires arguments and says which.
func atLeastOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return &usageError{c, &helpError{fmt.Errorf("%s needs %s", c.Name(), what)}}
		}
		return nil
	}
}

// exactlyTwo requires two arguments and says which.
func exactlyTwo(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 2 {
			return &usageError{c, &helpError{fmt.Errorf("%s takes %s, not %s", c.Name(), what, plural(len(args), "argument"))}}
		}
		return nil
	}
}

// atMostOne takes an argument or none.
func atMostOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) > 1 {
			return &usageError{c, &helpError{fmt.Errorf("%s takes %s or nothing, not %d arguments", c.Name(), what, len(args))}}
		}
		return nil
	}
}

// exactlyOne requires one argument and says which.
func exactlyOne(what string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) != 1 {
			return &usageError{c, &helpError{fmt.Errorf("%s takes %s, not %s", c.Name(), what, plural(len(args), "argument"))}}
		}
		return nil
	}
}

func noArguments(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return &usageError{c, &helpError{fmt.Errorf("%s takes no arguments", c.Name())}}
	}
	return nil
}
