#!/bin/sh
# npm start [-- OPTION…] builds the web app and the bundled program if they are out of date, then replaces itself with the
# server, so that the server receives signals.
cd "$(dirname "$0")/.." || exit
if ! output=$(node --version 2>&1); then
  echo "graphstead: Node.js does not start. $output" >&2
  case $output in
    *libatomic*) echo 'Install libatomic1 (Debian, Ubuntu: apt-get install libatomic1) or libatomic (Red Hat).' >&2 ;;
  esac
  exit 127
fi
program=src/graphstead.js
case $output in
  # An older Node.js cannot build anything. The server then reports the version that it needs.
  v?.* | v1?.* | v20.* | v21.* | v22.* | v23.*) ;;
  *)
    node ui/build.ts || exit
    # Where dist/ cannot be written, the source runs.
    if node deploy/build-program.ts && [ -e dist/program ]; then program=dist/program/graphstead.js; fi
    ;;
esac
exec node "$program" serve "$@"
