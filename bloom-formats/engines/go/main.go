// Builds and queries filters with the Go libraries. The script bloom.py in this folder calls this program:
//
//	peer build FORMAT ITEMS RATE < keys > file
//	peer query FORMAT FILE < keys
//
// The keys are lines of the standard input. A query prints the keys that the filter contains.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"

	dcso "github.com/DCSO/bloom"
	bits "github.com/bits-and-blooms/bloom"
)

type filter interface {
	add(key []byte)
	test(key []byte) bool
	write(to io.Writer) error
	read(data []byte) error
}

type binary struct{ *bits.BloomFilter }

func (f binary) add(key []byte)       { f.Add(key) }
func (f binary) test(key []byte) bool { return f.Test(key) }
func (f binary) write(to io.Writer) error {
	_, err := f.WriteTo(to)
	return err
}
func (f binary) read(data []byte) error {
	_, err := f.ReadFrom(bytes.NewReader(data))
	return err
}

type text struct{ binary }

func (f text) write(to io.Writer) error {
	data, err := json.Marshal(f.BloomFilter)
	if err == nil {
		_, err = to.Write(data)
	}
	return err
}
func (f text) read(data []byte) error { return json.Unmarshal(data, f.BloomFilter) }

type other struct{ *dcso.BloomFilter }

func (f other) add(key []byte)           { f.Add(key) }
func (f other) test(key []byte) bool     { return f.Check(key) }
func (f other) write(to io.Writer) error { return f.Write(to) }
func (f other) read(data []byte) error   { return f.Read(bytes.NewReader(data)) }

// Returns an empty filter of a format.
func create(format string, items uint64, rate float64) filter {
	switch format {
	case "bits-and-blooms":
		return binary{bits.NewWithEstimates(uint(items), rate)}
	case "bits-and-blooms-json":
		return text{binary{bits.NewWithEstimates(uint(items), rate)}}
	case "dcso":
		empty := dcso.Initialize(items, rate)
		return other{&empty}
	}
	log.Fatalf("unknown format %q", format)
	return nil
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func main() {
	command, format, arguments := os.Args[1], os.Args[2], os.Args[3:]
	keys := bufio.NewScanner(os.Stdin)
	output := bufio.NewWriter(os.Stdout)
	switch command {
	case "build":
		items, err := strconv.ParseUint(arguments[0], 10, 64)
		check(err)
		rate, err := strconv.ParseFloat(arguments[1], 64)
		check(err)
		filter := create(format, items, rate)
		for keys.Scan() {
			filter.add(keys.Bytes())
		}
		check(filter.write(output))
	case "query":
		data, err := os.ReadFile(arguments[0])
		check(err)
		filter := create(format, 1, 0.5)
		check(filter.read(data))
		for keys.Scan() {
			if filter.test(keys.Bytes()) {
				fmt.Fprintln(output, keys.Text())
			}
		}
	default:
		log.Fatalf("unknown command %q", command)
	}
	check(keys.Err())
	check(output.Flush())
}
