// Measures the filters of a library: their false-positive rates, and their sizes for a list of requests. A cell is the rate for
// one combination of kind of key, n, p and number of inserted items.

package main

import (
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
)

var (
	itemsOfCells = []uint64{1, 10, 20, 50, 100, 500, 1_000, 5_000, 100_000}
	ratesOfCells = []string{"0.1", "0.01", "0.001", "0.0001", "1e-5"}
	// The numbers of inserted items, as multiples of the n that the filter was sized for.
	fills = []uint64{1, 3}
)

const (
	// The number of filters that are measured between two checks whether the cell is done.
	batch = 30
	// No cell is done before this many insertions and queries, because the standard error that is estimated from 30 filters
	// is itself off by about a seventh.
	minOperations = 1e7
	// A cell is done at the latest at the first check after this many insertions and queries. The limit is a number and not a
	// time, so that each run gives the same cells.
	maxOperations = 2e8
)

// SplitMix64. Its output never repeats within 2^64 numbers, so all keys of a cell are distinct.
type random uint64

func (state *random) draw() uint64 {
	*state += 0x9e3779b97f4a7c15
	z := uint64(*state)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// A kind of keys: its name, and a function that makes a key from a random number in a buffer of 16 bytes.
type keys struct {
	name string
	key  func(random uint64, buffer []byte) []byte
}

var kinds = []keys{
	// The libraries take only bytes, so an integer becomes its eight bytes.
	{"integers", func(random uint64, buffer []byte) []byte {
		binary.LittleEndian.PutUint64(buffer, random)
		return buffer[:8]
	}},
	// A text is the 16 hexadecimal digits of the number.
	{"text", func(random uint64, buffer []byte) []byte {
		for digit := range buffer {
			buffer[digit] = "0123456789abcdef"[random>>(60-4*digit)&15]
		}
		return buffer
	}},
}

// Returns a header and a line for each cell.
func rates(build func(uint64, float64) filter) string {
	lines := "keys,n,p,items,m,k,rate,deviation,filters,queries\n"
	for _, keys := range kinds {
		for _, items := range itemsOfCells {
			for _, rate := range ratesOfCells {
				for _, fill := range fills {
					p, err := strconv.ParseFloat(rate, 64)
					check(err)
					cell := cell(keys.key, func() filter { return build(items, p) }, items, p, fill*items)
					if cell != "" {
						line := fmt.Sprintf("%s,%d,%s,%d,%s\n", keys.name, items, rate, fill*items, cell)
						fmt.Fprint(os.Stderr, line)
						lines += line
					}
				}
			}
		}
	}
	return lines
}

// Returns the last fields of a cell's line, m,k,rate,deviation,filters,queries; an empty string if the library refuses.
func cell(key func(uint64, []byte) []byte, build func() filter, items uint64, rate float64, inserted uint64) string {
	queries := 10 * items
	if queries < 4_000 {
		queries = 4_000
	}
	aim := 0.03
	if rate < 1e-4 {
		aim = 0.05
	}
	random := random(items<<32 ^ math.Float64bits(rate) ^ inserted)
	buffer := make([]byte, 16)
	var filters, sum, squares float64
	for {
		var m, k uint64
		for i := 0; i < batch; i++ {
			filter := build()
			if filter == nil {
				return ""
			}
			for j := uint64(0); j < inserted; j++ {
				filter.insert(key(random.draw(), buffer))
			}
			hits := 0.0
			for j := uint64(0); j < queries; j++ {
				if filter.contains(key(random.draw(), buffer)) {
					hits++
				}
			}
			sum += hits
			squares += hits * hits
			m, k = filter.size()
		}
		filters += batch
		mean := sum / filters
		// The standard error of the mean number of hits of a filter. It includes the differences between filters.
		deviation := math.Sqrt(math.Max(squares-filters*mean*mean, 0) / (filters - 1) / filters)
		operations := filters * float64(inserted+queries)
		needed := operations * math.Pow(deviation/mean/aim, 2)
		hopeless := operations > maxOperations/5 && (mean == 0 || needed > 5*maxOperations)
		known := mean > 0 && deviation <= aim*mean && operations >= minOperations
		if known || operations > maxOperations || hopeless {
			asked := float64(queries)
			line := fmt.Sprintf("%d,%d,%.3e,%.3e,%.0f,%.0f", m, k, mean/asked, deviation/asked, filters, filters*asked)
			return strings.ReplaceAll(line, "e-0", "e-")
		}
	}
}

// Returns the text of a file with the sizes of the filters that a library builds for the requests.
func sizes(build func(uint64, float64) filter, requests []string) string {
	lines := "n,p,m,k\n"
	for _, request := range requests {
		n, p, _ := strings.Cut(request, ",")
		items, err := strconv.ParseUint(n, 10, 64)
		check(err)
		rate, err := strconv.ParseFloat(p, 64)
		check(err)
		if filter := build(items, rate); filter != nil {
			m, k := filter.size()
			lines += fmt.Sprintf("%s,%d,%d\n", request, m, k)
		} else {
			lines += request + ",,\n"
		}
	}
	return lines
}
