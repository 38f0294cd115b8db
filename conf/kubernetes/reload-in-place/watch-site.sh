#!/bin/sh
# Has a server load its configuration again when the kubelet has put another one in place, which it does by exchanging the link ..data:
# watch-site.sh ROOT [SECONDS]. What is wrong with a configuration is printed; the server goes on with the one it has.
root=$1
pause=${2:-2}
data=$root/conf/site/..data

# Without a server -k graceful would start one, here.
runs() { [ -f "$root/logs/httpd.pid" ] && kill -0 "$(cat "$root/logs/httpd.pid")" 2>/dev/null; }

seen=$(readlink "$data")
while sleep "$pause"; do
  now=$(readlink "$data")
  if [ "$now" = "$seen" ] || ! runs; then continue; fi
  seen=$now
  "$root/bin/httpd" -k graceful && echo "watch-site: $now serves"
done
