// Measures the filters of Go libraries: measured REQUESTS FOLDER NAME... writes a file of rates and
// one of sizes for each named system. systems.go builds the filters of each system, and cells.go
// measures them.
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
