package browser

import (
	"context"
	"encoding/json"
	"fmt"
)

// A target is a page of the browser.
type target struct {
	*connection
	id      string
	session string
	closed  chan struct{} // when the browser closed it
}

// openTarget opens an empty page in a context of the browser, whose events hear gets.
func openTarget(
	ctx context.Context, c *connection, in string, hear func(method string, params json.RawMessage),
) (target, error) {
	t := target{connection: c, closed: make(chan struct{})}
	var created struct{ TargetID, SessionID string }
	err := c.call(ctx, "", "Target.createTarget", object{"url": "about:blank", "browserContextId": in}, &created)
	if err != nil {
		return target{}, err
	}
	t.id = created.TargetID
	err = c.call(ctx, "", "Target.attachToTarget", object{"targetId": t.id, "flatten": true}, &created)
	if err != nil {
		return target{}, err
	}
	t.session = created.SessionID
	c.listen(t.session, hear)
	c.onDetach(t.session, t.closed)
	for _, domain := range []string{"Page.enable", "Inspector.enable"} {
		if err := t.call(ctx, domain, nil, nil); err != nil {
			return target{}, err
		}
	}
	return t, nil
}

// call sends a request to the target and waits for its answer.
func (t *target) call(ctx context.Context, method string, params, result any) error {
	return t.connection.call(ctx, t.session, method, params, result)
}

// navigate goes to an address.
func (t *target) navigate(ctx context.Context, address string) error {
	var result struct{ ErrorText string }
	if err := t.call(ctx, "Page.navigate", object{"url": address}, &result); err != nil {
		return err
	}
	if result.ErrorText != "" {
		return fmt.Errorf("opening the page: %s", result.ErrorText)
	}
	return nil
}

// enterWorld returns the number of Mapa's world in the document of the target.
func (t *target) enterWorld(ctx context.Context) (int64, error) {
	var world struct{ ExecutionContextID int64 }
	err := t.call(ctx, "Page.createIsolatedWorld", object{"frameId": t.id, "worldName": worldName}, &world)
	return world.ExecutionContextID, err
}

// evaluate runs an expression in a world, 0 for that of the page, and stores its value in result.
func (t *target) evaluate(ctx context.Context, world int64, expression string, result any) error {
	params := object{"expression": expression, "returnByValue": true, "awaitPromise": true}
	if world != 0 {
		params["contextId"] = world
	}
	var answer struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct {
			Text      string
			Exception struct{ Description string }
		}
	}
	if err := t.call(ctx, "Runtime.evaluate", params, &answer); err != nil {
		return err
	}
	if e := answer.ExceptionDetails; e != nil {
		return fmt.Errorf("a script in the page: %s %s", e.Text, e.Exception.Description)
	}
	if result == nil || answer.Result.Value == nil {
		return nil
	}
	return json.Unmarshal(answer.Result.Value, result)
}

// close closes the target and waits for its end, which does not come if it begins to show another document.
func (t *target) close(ctx context.Context) error {
	if err := t.connection.call(ctx, "", "Target.closeTarget", object{"targetId": t.id}, nil); err != nil {
		return err
	}
	return t.awaitEnd(ctx)
}

// awaitEnd waits until the target is closed.
func (t *target) awaitEnd(ctx context.Context) error {
	select {
	case <-t.closed:
		return nil
	case <-t.gone:
		return errGone
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
