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
case $self in
  */*) folder=${self%/*}/ ;;
  *) folder=. ;;
esac
bin=$(CDPATH= cd -P "$folder" && pwd) || exit 1
exec "$bin/node" --disable-warning=ExperimentalWarning "${bin%/*}/lib/@NAME@.mjs" "$@"
