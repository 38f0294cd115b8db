#!/bin/sh
# Control script in the manner of httpd's: verbs become -k, configtest -t, everything else goes to httpd as it is.
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
httpd=$(CDPATH= cd -P "$(dirname "$self")" && pwd)/httpd || exit 1
case $1 in
  start | stop | restart | graceful | graceful-stop) verb=$1; shift; exec "$httpd" -k "$verb" "$@" ;;
  configtest) shift; exec "$httpd" -t "$@" ;;
  '') exec "$httpd" -h ;;
  *) exec "$httpd" "$@" ;;
esac
