#!/bin/sh
# Runs @NAME@ with the Node that stands beside this script, from wherever it is called and through whatever links.
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
bin=$(CDPATH= cd -P "$(dirname "$self")" && pwd) || exit 1
exec "$bin/node" --disable-warning=ExperimentalWarning "${bin%/*}/lib/@NAME@.mjs" "$@"
