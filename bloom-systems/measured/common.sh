# Sourced by the `run` scripts in the folders beside it. It changes to the root of the repository, makes the folders
# that the scripts write to, and installs packages into target.

source "$(dirname "${BASH_SOURCE[0]}")/../../bloom-formats/engines/install.sh"

folder=bloom-systems/measured
built=target/measured
# With PART=1, files go into a separate folder, and the programs for Rust and the JVM measure only cells of few items
# and high rates.
data=$folder/data
[ -z "${PART-}" ] || data=$built/part
mkdir -p "$built" "$data"
