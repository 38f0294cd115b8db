import { resolve } from 'node:path'
import { HTTPD_VERSION, MODULE_MAGIC_NUMBER_MAJOR } from '@gatewright/api'
import { type ConfigVars, readConfigVars } from '@gatewright/module-kit/config-vars'
import { CONFIG_VARIABLES } from '../program.ts'
import { ApxsFailure, reasonOf } from './failure.ts'

/** Names that apxs knows by itself, each with that of `config_vars.mk` behind it. `-S` changes these. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  TARGET: 'progname',
  CC: 'CC',
  CFLAGS: 'CFLAGS',
  LDFLAGS: 'LDFLAGS',
  PREFIX: 'prefix',
  SBINDIR: 'sbindir',
  INCLUDEDIR: 'includedir',
  LIBEXECDIR: 'libexecdir',
  SYSCONFDIR: 'sysconfdir',
}

/** An installed server, as apxs sees it. */
export interface Installation {
  /** Everything of `config_vars.mk`, changed by `-S`. */
  readonly vars: ConfigVars
  /** LIBEXECDIR: where modules are. */
  readonly modules: string
  /** SYSCONFDIR: where the configuration is. */
  readonly configuration: string
  /** INCLUDEDIR: what modules are compiled against. */
  readonly include: string
  /** Empty where paths in the configuration are to be absolute, as Debian has it. */
  readonly prefix: string
  /** TARGET: the configuration's file is TARGET.conf. */
  readonly target: string
  /** installbuilddir: the tools of apxs, and the template of a module. */
  readonly build: string
  /** bindir */
  readonly programs: string
}

/**
 * Reads what this installation says of itself: its `config_vars.mk`, or the one that GATEWRIGHT_CONFIG_VARS names.
 * @param settings `VAR=value` of -S
 */
export function readInstallation(settings: readonly string[]): Installation {
  const file = process.env.GATEWRIGHT_CONFIG_VARS ?? CONFIG_VARIABLES
  let vars: ConfigVars
  try {
    vars = readConfigVars(file)
  } catch (error) {
    const hint =
      'apxs works within an installed server: run build/install, or set GATEWRIGHT_CONFIG_VARS to the config_vars.mk of one'
    throw new ApxsFailure(`cannot open ${file}: ${reasonOf(error)}`, hint)
  }
  return installation(vars, settings)
}

/** @throws ApxsUsage when a word of -S is malformed or names nothing */
export function installation(read: ConfigVars, settings: readonly string[]): Installation {
  const vars = new Map(read)
  for (const word of settings) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (name === undefined) throw new UnknownVariable('malformatted -S option')
    if (!Object.hasOwn(OWN_NAMES, name)) throw new UnknownVariable(`no config variable ${name}`)
    vars.set(OWN_NAMES[name], value)
    vars.delete(`exp_${OWN_NAMES[name]}`)
  }
  const folder = (name: string): string => resolve(vars.get(`exp_${name}`) ?? vars.get(name) ?? '')
  const prefix = vars.get('prefix') ?? ''
  return {
    vars,
    modules: folder('libexecdir'),
    configuration: folder('sysconfdir'),
    include: folder('includedir'),
    prefix: prefix === '' ? '' : resolve(prefix),
    target: vars.get('progname') ?? 'httpd',
    build: folder('installbuilddir'),
    programs: folder('bindir'),
  }
}

/** A mistake in -S, which is followed by the usage. */
export class UnknownVariable extends Error {}

/** Names that queries know beside those of `config_vars.mk`. What only a C compiler needs is empty: scripts that put it into a command line still work. */
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

/** The value of a name, in upper or lower case; undefined when there is none of that name. */
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
