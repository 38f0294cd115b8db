#!/bin/sh
# Runs @NAME@ of an installation whose parts lie in different folders, which configure has been told.
GATEWRIGHT_CONFIG_VARS=${GATEWRIGHT_CONFIG_VARS:-"@CONFIG_VARS@"}
export GATEWRIGHT_CONFIG_VARS
exec "@NODE@" --disable-warning=ExperimentalWarning "@LIB@/@NAME@.mjs" "$@"
