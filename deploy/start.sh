#!/bin/sh
# npm start [-- OPTION…]: builds the web app where it is not current, and becomes the server: signals to npm reach it.
cd "$(dirname "$0")/.." || exit
if ! said=$(node --version 2>&1); then
  echo "graphstead: Node.js does not start. $said" >&2
  case $said in
    *libatomic*) echo 'Install libatomic1 (Debian, Ubuntu: apt-get install libatomic1) or libatomic (Red Hat).' >&2 ;;
  esac
  exit 127
fi
case $said in
  # An older Node.js cannot build the web app, and the program says which it needs.
  v?.* | v1?.* | v20.* | v21.* | v22.* | v23.*) ;;
  *) node ui/build.ts || exit ;;
esac
exec node src/graphstead.js serve "$@"
