package main

import (
	dcso "github.com/DCSO/bloom"
	bits "github.com/bits-and-blooms/bloom"
)

// A filter as the system under test builds it.
type filter interface {
	insert(key []byte)
	contains(key []byte) bool
	// The bits and the hashes.
	size() (uint64, uint64)
}

// Functions that build a filter of each system by its own interface; nil is a refusal.
var systems = map[string]func(items uint64, rate float64) filter{
	"bits-and-blooms": func(items uint64, rate float64) filter {
		return bitsAndBlooms{bits.NewWithEstimates(uint(items), rate)}
	},
	"dcso": func(items uint64, rate float64) filter {
		empty := dcso.Initialize(items, rate)
		return dcsoBloom{&empty}
	},
}

type bitsAndBlooms struct{ *bits.BloomFilter }

func (f bitsAndBlooms) insert(key []byte)        { f.Add(key) }
func (f bitsAndBlooms) contains(key []byte) bool { return f.Test(key) }
func (f bitsAndBlooms) size() (uint64, uint64)   { return uint64(f.Cap()), uint64(f.K()) }

type dcsoBloom struct{ *dcso.BloomFilter }

func (f dcsoBloom) insert(key []byte)        { f.Add(key) }
func (f dcsoBloom) contains(key []byte) bool { return f.Check(key) }
func (f dcsoBloom) size() (uint64, uint64)   { return f.NumBits(), f.NumHashFuncs() }
