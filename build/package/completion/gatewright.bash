# bash completion of gatewright: verbs and options are those that --help lists, so they are always those of this version.
_gatewright() {
  local word=${COMP_WORDS[COMP_CWORD]} verb=${COMP_WORDS[1]-}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W "$(gatewright --help 2>/dev/null | sed -n 's/^  \([a-z-]*\) .*/\1/p')" -- "$word")
  elif [[ $word == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(gatewright "$verb" --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*' | sort -u)" -- "$word")
  fi
}
complete -o default -F _gatewright gatewright

# The names that each helper would list.
_gatewright_names() {
  mapfile -t COMPREPLY < <(compgen -W "$("$1" 2>/dev/null)" -- "$2")
}
complete -F _gatewright_names gwenmod gwdismod gwensite gwdissite gwenconf gwdisconf

_gatewrightctl() {
  COMPREPLY=()
  [ "$COMP_CWORD" -ne 1 ] || mapfile -t COMPREPLY < <(
    compgen -W 'start stop restart graceful graceful-stop upgrade configtest status fullstatus' -- "$2"
  )
}
complete -o default -F _gatewrightctl gatewrightctl
