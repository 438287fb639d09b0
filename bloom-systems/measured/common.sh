# Sourced by the `run` scripts beside it: goes to the root of the repository, and installs into target/measured.

source "$(dirname "${BASH_SOURCE[0]}")/../../bloom-formats/engines/install.sh"

folder=bloom-systems/measured
built=target/measured
mkdir -p "$built" "$folder/data"
