import { HTTPD_VERSION, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import type { ConfigVars } from '@gatewright/module-kit/config-vars'
import { OWN_NAMES } from './installation.ts'

/** The value of a name, in upper or lower case; undefined for an unknown name. */
export function queryValue(vars: ConfigVars, name: string): string | undefined {
  const own = OWN_NAMES[name.toUpperCase()]
  return (
    vars.get(name) ??
    vars.get(name.toLowerCase()) ??
    vars.get(name.toUpperCase()) ??
    (own === undefined ? undefined : vars.get(own)) ??
    OTHER_NAMES.get(name) ??
    OTHER_NAMES.get(name.toUpperCase())
  )
}

/**
 * Names for queries in addition to those of `config_vars.mk`. Values that only a C compiler needs are empty,
 * so that scripts can still use them in a command line.
 */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['MPM_NAME', 'event'],
  ['HTTPD_VERSION', HTTPD_VERSION],
  ['HTTPD_MMN', `${MODULE_MAGIC_NUMBER_MAJOR}`],
  ...(
    'CFLAGS_SHLIB LD_SHLIB LDFLAGS_SHLIB LIBS_SHLIB CC CFLAGS CPP CPPFLAGS CXX CXXFLAGS LDFLAGS LIBS DEFS INCLUDES SHLTCFLAGS LTCFLAGS LTFLAGS LT_LDFLAGS ' +
    'SH_LDFLAGS SH_LIBS SH_LIBTOOL LIBTOOL NOTEST_CPPFLAGS NOTEST_CFLAGS NOTEST_CXXFLAGS NOTEST_LDFLAGS NOTEST_LIBS EXTRA_CPPFLAGS EXTRA_CFLAGS ' +
    'EXTRA_CXXFLAGS EXTRA_LDFLAGS EXTRA_LIBS EXTRA_INCLUDES INTERNAL_CPPFLAGS APR_BINDIR APR_INCLUDEDIR APR_VERSION APR_CONFIG APU_BINDIR APU_INCLUDEDIR ' +
    'APU_VERSION APU_CONFIG PCRE_LIBS MATH_LIBS CRYPT_LIBS ENABLED_DSO_MODULES'
  )
    .split(' ')
    .map((name): [string, string] => [name, '']),
])
