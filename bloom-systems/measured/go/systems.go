package main

import (
	dcso "github.com/DCSO/bloom"
	bits "github.com/bits-and-blooms/bloom"
)

// A filter of the library that is measured.
type filter interface {
	insert(key []byte)
	contains(key []byte) bool
	// Returns the bits m and the hashes k.
	size() (uint64, uint64)
}

// For each library, a function that builds an empty filter by the library's own interface. For a refusal the function would
// return nil, but neither library refuses.
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
