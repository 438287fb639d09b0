// Measures the filters of Go libraries. "measured REQUESTS FOLDER NAME..." writes two files for each named library: the
// false-positive rates of its filters, and the sizes of its filters for the pairs of n and p in the file REQUESTS.
// systems.go builds the filters, and cells.go measures them.
package main

import (
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	requests, err := os.ReadFile(os.Args[1])
	check(err)
	for _, name := range os.Args[3:] {
		build, known := systems[name]
		if !known {
			log.Fatalf("unknown system %q", name)
		}
		write := func(kind string, lines string) {
			check(os.WriteFile(filepath.Join(os.Args[2], name+"."+kind+".csv"), []byte(lines), 0o644))
		}
		write("sizes", sizes(build, strings.Fields(string(requests))[1:]))
		write("rates", rates(build))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
