#!/bin/sh
# gwenmod, gwdismod, gwensite, gwdissite, gwenconf, gwdisconf: one program, which acts as its name says.
# Enabling makes links from KIND-enabled to KIND-available; disabling removes them.
#
# GATEWRIGHT_CONFDIR  the folder of the configuration [/etc/gatewright]
name=${0##*/}
root=${GATEWRIGHT_CONFDIR:-/etc/gatewright}

case $name in
  gwen*) verb=enable ;;
  gwdis*) verb=disable ;;
  *) verb= ;;
esac
case $name in
  *mod) kind=mods what=module ;;
  *site) kind=sites what=site ;;
  *conf) kind=conf what=configuration ;;
  *) verb= ;;
esac
if [ -z "$verb" ]; then
  echo "gwenmod: called by the unknown name $name" >&2
  echo "hint: the names are gwenmod, gwdismod, gwensite, gwdissite, gwenconf and gwdisconf" >&2
  exit 2
fi
available=$root/$kind-available
enabled=$root/$kind-enabled
main=.conf
[ "$kind" = mods ] && main=.load

usage() {
  echo "Usage: $name [-q] NAME..."
  echo
  echo "${verb}s each $what NAME of $available, by links in $enabled."
  echo "Patterns are allowed if they are quoted: $name 'proxy*'. Without a name, lists what can be ${verb}d."
  echo "The exit status is 0, 1 if a name cannot be ${verb}d, 2 if the command line is wrong."
}

quiet=
say() { [ -n "$quiet" ] || printf '%s\n' "$*"; }

# The names in a folder that match a pattern.
names_in() {
  for file in "$1"/$2"$main"; do
    if [ -e "$file" ] || [ -h "$file" ]; then
      file=${file##*/}
      printf '%s\n' "${file%"$main"}"
    fi
  done
}

is_enabled() { [ -h "$enabled/$1$main" ] || [ -e "$enabled/$1$main" ]; }

# What a module needs stands in a comment of its .load file.
needs_of() { [ "$kind" != mods ] || sed -n 's/^# Depends: *//p' "$available/$1.load" 2>/dev/null; }

failed=0
fail() {
  printf '%s: %s\n' "$name" "$1" >&2
  [ -z "${2:-}" ] || printf 'hint: %s\n' "$2" >&2
  failed=1
}

changed=
enable() {
  if [ ! -e "$available/$1$main" ]; then
    fail "there is no $what $1 in $available" "$name without a name lists what there is"
    return
  fi
  for needed in $(needs_of "$1"); do
    is_enabled "$needed" && continue
    say "Considering $needed, which $1 needs"
    # A subshell keeps the variables of this loop.
    (enable "$needed"; exit $failed) || { fail "$1 needs $needed, which cannot be enabled"; return; }
    changed=yes
  done
  if is_enabled "$1"; then
    say "The $what $1 is already enabled"
  else
    for ending in "$main" .conf; do
      [ ! -e "$available/$1$ending" ] || [ -h "$enabled/$1$ending" ] || ln -s "../$kind-available/$1$ending" "$enabled/$1$ending" || {
        fail "the link $enabled/$1$ending could not be made" 'it needs write permission, which root has'
        return 1
      }
    done
    say "Enabled the $what $1"
    changed=yes
  fi
}

disable() {
  if ! is_enabled "$1"; then
    if [ -e "$available/$1$main" ]; then say "The $what $1 is already disabled"; else
      fail "there is no $what $1" "$name without a name lists what can be disabled"
    fi
    return
  fi
  for other in $(names_in "$enabled" '*'); do
    case " $(needs_of "$other") " in *" $1 "*)
      fail "$other needs $1 and is enabled" "disable $other first"
      return ;;
    esac
  done
  for ending in "$main" .conf; do
    link=$enabled/$1$ending
    if [ -h "$link" ]; then
      rm -f "$link" || { fail "the link $link could not be removed" 'it needs write permission, which root has'; return 1; }
    elif [ -e "$link" ]; then
      fail "$link is a file, not a link: it is left alone" "move it to $available first"
      return
    fi
  done
  say "Disabled the $what $1"
  changed=yes
}

while [ $# -gt 0 ]; do
  case $1 in
    -q | --quiet) quiet=yes ;;
    -h | --help) usage; exit 0 ;;
    --) shift; break ;;
    -*) printf '%s: unknown option %s\n\n' "$name" "$1" >&2; usage >&2; exit 2 ;;
    *) break ;;
  esac
  shift
done

from=$available
[ "$verb" = disable ] && from=$enabled
if [ $# -eq 0 ]; then
  names_in "$from" '*' | while read -r one; do
    [ "$verb" = enable ] && is_enabled "$one" || printf '%s\n' "$one"
  done
  exit 0
fi

for word; do
  case $word in
    */* | '' | .*) fail "$word is no name of a $what" 'names have no / and do not begin with a dot'; continue ;;
    *'*'* | *'?'*)
      found=$(names_in "$from" "$word")
      [ -n "$found" ] || fail "no $what matches $word"
      for one in $found; do "$verb" "$one"; done
      ;;
    *) "$verb" "${word%"$main"}" ;;
  esac
done
[ -z "$changed" ] || say 'To load the new configuration: systemctl reload gatewright, or gatewrightctl graceful'
exit $failed
