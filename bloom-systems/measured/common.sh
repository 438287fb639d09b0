# The `run` scripts in the folders beside this file measure filters, and source this file first. It changes to the root of the
# repository, makes the folders that the scripts write to, and defines functions that install packages.

source "$(dirname "${BASH_SOURCE[0]}")/../../bloom-formats/engines/install.sh"

folder=bloom-systems/measured
built=target/measured
# With PART=1, results go into a separate folder, and the programs for Rust and the JVM measure rates only of filters for at
# most 20 items and a rate of 0.1 or 0.01.
data=$folder/data
[ -z "${PART-}" ] || data=$built/part
mkdir -p "$built" "$data"
