# Sourced by the `run` scripts beside it: goes to the root of the repository, and installs into target/measured.

source "$(dirname "${BASH_SOURCE[0]}")/../../bloom-formats/engines/install.sh"

folder=bloom-systems/measured
built=target/measured
# With PART=1, files go into a separate folder, and the programs for Rust and the JVM measure only cells of few items
# and high rates.
data=$folder/data
[ -z "${PART-}" ] || data=$built/part
mkdir -p "$built" "$data"
