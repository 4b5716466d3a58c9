package main

import "errors"

func (b *bench) writeSet() error       { return nil }
func (b *bench) writeMemory() error    { return nil }
func writeMany(int, bool) (int, error) { return 0, errors.New("x") }
