# Sourced by the `run` scripts beside it: goes to the root of the repository, and installs into target/measured.

source "$(dirname "${BASH_SOURCE[0]}")/../../bloom-formats/engines/install.sh"

folder=bloom-systems/measured
built=target/measured
mkdir -p "$built" "$folder/data"

# Whether a system was named on the command line, or none was: wanted name arguments...
wanted() {
    local name=$1
    shift
    [ $# -eq 0 ] || [[ " $* " == *" $name "* ]]
}
