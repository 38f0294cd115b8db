#compdef gatewright gatewrightctl gwenmod gwdismod gwensite gwdissite gwenconf gwdisconf
# Verbs, options and names are those that the programs list, so they are always those of this version.
local -a found
case $service in
  gatewright)
    if (( CURRENT == 2 )); then
      found=(${(f)"$(gatewright --help 2>/dev/null | sed -n 's/^  \([a-z-]*\)  *\(.*\)/\1:\2/p')"})
      _describe verb found
    elif [[ $PREFIX == -* ]]; then
      found=(${(fu)"$(gatewright $words[2] --help 2>/dev/null | grep -o -- '--[a-z][a-z-]*')"})
      compadd -a found
    else
      _files
    fi
    ;;
  gatewrightctl)
    compadd start stop restart graceful graceful-stop upgrade configtest status fullstatus
    ;;
  *)
    found=(${(f)"$($service 2>/dev/null)"})
    compadd -a found
    ;;
esac
