#!/bin/sh
# Control script in the manner of httpd's: verbs become -k, configtest -t, everything else goes to httpd as it is.
#
# APACHE_CONFDIR  a configuration as Debian has it: apache2.conf and envvars in one folder
# APACHE_ENVVARS  a file that sets environment variables; else envvars in APACHE_CONFDIR, or beside this script
# APACHE_ARGUMENTS  further options of httpd;  APACHE_STATUSURL, APACHE_LYNX  for status and fullstatus;
#                 the default URL is /server-status at the first Listen
self=$0
while [ -h "$self" ]; do
  target=$(readlink "$self")
  case $target in
    /*) self=$target ;;
    *) self=$(dirname "$self")/$target ;;
  esac
done
bin=$(CDPATH= cd -P "$(dirname "$self")" && pwd) || exit 1
envvars=${APACHE_ENVVARS:-${APACHE_CONFDIR:-$bin}/envvars}
if [ -f "$envvars" ]; then . "$envvars"; fi
# Configurations of Debian need their folders in /run, which are gone after each boot.
for folder in "$APACHE_RUN_DIR" "$APACHE_LOCK_DIR"; do
  if [ -n "$folder" ] && [ ! -d "$folder" ]; then mkdir -p "$folder" || exit 1; fi
done

httpd() {
  if [ -n "$APACHE_CONFDIR" ] && [ -f "$APACHE_CONFDIR/apache2.conf" ]; then set -- -d "$APACHE_CONFDIR" -f apache2.conf "$@"; fi
  # APACHE_ARGUMENTS are several words.
  exec "$bin/httpd" $APACHE_ARGUMENTS "$@"
}

server_status() {
  url=$APACHE_STATUSURL
  if [ -z "$url" ]; then
    # The first Listen line of the configuration that the server would read.
    first=$(httpd -t -D DUMP_LISTEN 2>/dev/null | sed -n '/^https\{0,1\}:/{p;q;}')
    url=${first:-http://localhost:80}/server-status
  fi
  if ${APACHE_LYNX:-lynx -dump} "$url" 2>/dev/null; then return; fi
  # Without a browser for texts: the form for programs. The certificate of this machine's own name is not in question.
  if curl -fsSk "$url?auto"; then return; fi
  echo "apachectl: no status from $url: it needs lynx or curl, mod_status, and a <Location> with SetHandler server-status" >&2
  exit 1
}

case $1 in
  start | stop | restart | graceful | graceful-stop | upgrade) verb=$1; shift; httpd -k "$verb" "$@" ;;
  configtest) shift; httpd -t "$@" ;;
  status)
    shown=$(server_status) || exit 1
    printf '%s\n' "$shown" | awk '/process$/ { print; exit } { print }'
    ;;
  fullstatus) server_status ;;
  startssl | sslstart | start-SSL)
    echo 'apachectl: there is no startssl since httpd 2.2: configure TLS, and use start' >&2
    exit 2
    ;;
  '') httpd -h ;;
  *) httpd "$@" ;;
esac
