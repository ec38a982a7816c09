#!/usr/bin/env bash
# Functions for .ci/run and .ci/all, which source this file from the root of a clean clone.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0

# Counts a check, given its name, exit code and output file, and shows the output if it failed. Numbers in brackets are seconds.
told() {
  echo "== [$SECONDS] $1"
  if [ "$2" -eq 0 ]; then
    passed=$((passed + 1))
    tail -n 3 "$3"
  else
    failed=$((failed + 1))
    grep -anE -A 20 '^ *not ok' "$3" | head -n 100
    tail -n 200 "$3"
    echo "FAILED: $1"
  fi
}

# Runs a check, given its name and command.
check() {
  local name=$1
  shift
  "$@" > "$work/log" 2>&1
  told "$name" $? "$work/log"
}

# Starts a check in parallel with later ones. `together` waits for it and reports the outcome.
asides=()
aside() {
  local name=$1 log="$work/aside-${#asides[@]}"
  shift
  "$@" > "$log" 2>&1 &
  asides+=("$!" "$name" "$log")
}

together() {
  local index
  for ((index = 0; index < ${#asides[@]}; index += 3)); do
    wait "${asides[index]}"
    told "${asides[index + 1]}" $? "${asides[index + 2]}"
  done
}

finish() {
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
  exit
}

# Installs the Debian packages that .ci/run needs, unless their programs or libraries are already installed.
needed() {
  local missing=()
  command -v python3 > /dev/null && python3 -c 'import venv, ensurepip' 2> /dev/null || missing+=(python3 python3-venv)
  command -v gc > /dev/null && command -v gvpr > /dev/null || missing+=(graphviz)
  [ -e /usr/lib/x86_64-linux-gnu/libatomic.so.1 ] || missing+=(libatomic1)
  # Chromium needs these libraries.
  ldconfig -p | grep -q libnss3.so || missing+=(libnss3)
  install curl:curl strip:binutils openssl:openssl prlimit:util-linux bwrap:bubblewrap javac:default-jdk-headless mvn:maven "${missing[@]/#/:}"
}

# Installs the packages that only .ci/all needs.
needed_by_all() {
  local missing=()
  # Wine, and the ARM libraries for qemu, are not on PATH.
  [ -e /usr/lib/wine/wine64 ] || missing+=(wine64)
  [ -e /usr/aarch64-linux-gnu/lib/libstdc++.so.6 ] && [ -e /usr/aarch64-linux-gnu/lib/libatomic.so.1 ] ||
    missing+=(libc6-arm64-cross libstdc++6-arm64-cross libatomic1-arm64-cross)
  compgen -G '/usr/lib/postgresql/*/bin/postgres' > /dev/null || missing+=(postgresql)
  install llvm-strip:llvm qemu-aarch64:qemu-user nginx:nginx-light caddy:caddy prometheus:prometheus systemd-analyze:systemd dpkg-deb:dpkg \
    pgbouncer:pgbouncer haproxy:haproxy lintian:lintian ruby:ruby xz:xz-utils zip:zip mmdebstrap:mmdebstrap "${missing[@]/#/:}"
}

# Installs Debian packages, each given as PROGRAM:PACKAGE, unless their programs exist.
install() {
  local missing=() tool
  for tool; do
    [ -n "${tool%:*}" ] && command -v "${tool%:*}" > /dev/null || missing+=("${tool#*:}")
  done
  [ ${#missing[@]} -eq 0 ] && return
  # Prevents apt from starting the services in these packages.
  export RUNLEVEL=1 DEBIAN_FRONTEND=noninteractive
  as_root apt-get update && as_root apt-get install -y --no-install-recommends "${missing[@]}"
}

# Runs a command as root.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo -E "$@"; fi
}

# Installs the npm package in an empty folder, and runs the tour with it.
package() {
  mkdir "$work/elsewhere"
  (cd "$work/elsewhere" && npm init -y && npm install --no-audit --no-fund "$OLDPWD"/dist/graphstead-*.tgz && npx graphstead --version &&
    [ ! -e node_modules/@scarf ] && [ ! -e node_modules/swagger-ui-dist ]) || return
  PATH="$PWD/node_modules/.bin:$PATH" GRAPHSTEAD_TEST_PROGRAM="$work/elsewhere/node_modules/.bin/graphstead" \
    node test/run.ts --sqlite test/{commands/tour,browser/docs}.test.ts
}

# Checks that npm ci has not installed the package that phones home.
silent() {
  ! npm ls @scarf/scarf && [ ! -e node_modules/@scarf ]
}

judges() {
  python3 -m venv "$work/judges" && "$work/judges/bin/pip" install --quiet --disable-pip-version-check -r .ci/requirements.txt
}

# Unpacks a later Debian release's PgBouncer, which keeps prepared statements in transaction mode, for $work/pgbouncer.
later_pgbouncer() {
  local root="$work/trixie" libraries="$work/trixie/usr/lib/x86_64-linux-gnu"
  mmdebstrap --quiet --variant=extract --include=pgbouncer trixie "$root" || return
  cat > "$work/pgbouncer" << END && chmod +x "$work/pgbouncer" && "$work/pgbouncer" --version
#!/bin/sh
exec $libraries/ld-linux-x86-64.so.2 --library-path $libraries $root/usr/sbin/pgbouncer "\$@"
END
}

# Has Mermaid parse flowcharts, with jsdom in place of a browser.
flowcharts() {
  mkdir "$work/mermaid" && (cd "$work/mermaid" && npm init -y && npm install --no-audit --no-fund --save-exact mermaid@12.3.0 jsdom@29.1.1) &&
    PATH="$PWD/node_modules/.bin:$PATH" node .ci/mermaid.ts "$work/mermaid"
}

# Has an independent program verify the audit log. Arguments: `check` or `aside`, the program's name, and the argument to
# .ci/audit.ts.
trail() {
  local path="$PWD/node_modules/.bin:$work/judges/bin:$PATH"
  if [ "$3" = pymerkle ] || PATH="$path" command -v go > /dev/null; then
    "$1" "the audit log, verified by $2" env PATH="$path" node .ci/audit.ts "$3"
  else
    check "the audit log, verified by $2: skipped, because Go is missing" true
  fi
}

# Runs a test command, and adds its counts to the totals.
tests() {
  echo "== [$SECONDS] $*"
  local code totals passes failures
  "$@" > "$work/tests" 2>&1
  code=$?
  # The last line of the test runner, such as "# { total: 10, pass: 9, fail: 1 }".
  totals=$(grep -aE '^# \{ total: [0-9]+' "$work/tests" | tail -n 1)
  if [ -z "$totals" ] || [ "$code" -ne 0 ]; then
    # Prints each file's summary and failures.
    grep -avE '^ok ' "$work/tests" | grep -anE -A 40 '^ *not ok' | head -n 600
    tail -n 30 "$work/tests"
  fi
  echo "$totals"
  passes=$(sed -nE "s/.*pass: ([0-9]+).*/\1/p" <<< "$totals")
  failures=$(sed -nE "s/.*fail: ([0-9]+).*/\1/p" <<< "$totals")
  passed=$((passed + ${passes:-0}))
  failed=$((failed + ${failures:-0}))
  [ "$code" -eq 0 ] || [ "${failures:-0}" -gt 0 ] || failed=$((failed + 1))
}
