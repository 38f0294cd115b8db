#!/bin/sh
# Runs a script of build/ from the sources, with the project's own Node: run.sh SCRIPT [WORD]...
build=$(CDPATH= cd -P "$(dirname "$0")/.." && pwd) || exit 1
script=$1
shift
node=$build/../node_modules/.bin/node
if [ ! -x "$node" ]; then
  if ! command -v node >/dev/null; then
    echo "build: no node was found in PATH" >&2
    echo "hint: install Node.js 18 or newer, which brings npm, and try again" >&2
    exit 1
  fi
  node "$build/bootstrap.cjs" dependencies >&2 || exit 1
  # Where no Node is published for the platform, the one in PATH is new enough: bootstrap has looked.
  [ -x "$node" ] || node=node
fi
exec "$node" --conditions=gatewright-source --disable-warning=ExperimentalWarning "$build/$script" "$@"
