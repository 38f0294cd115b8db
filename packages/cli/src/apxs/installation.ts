import { resolve } from 'node:path'
import { type ConfigVars, readConfigVars } from '@gatewright/module-kit/config-vars'
import { CONFIG_VARIABLES } from '../program.ts'
import { ApxsFailure, reasonOf } from './failure.ts'

/** Names defined by apxs itself, each followed by its name in `config_vars.mk`. `-S` changes these. */
export const OWN_NAMES: Readonly<Record<string, string>> = {
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

/** An installed server, for apxs. */
export interface Installation {
  /** The content of `config_vars.mk`, changed by `-S`. */
  readonly vars: ConfigVars
  /** LIBEXECDIR: the folder of modules. */
  readonly modules: string
  /** SYSCONFDIR: the folder of the configuration. */
  readonly configuration: string
  /** INCLUDEDIR: the packages that modules are compiled against. */
  readonly include: string
  /** Empty if paths in the configuration must be absolute, as in Debian's layout. */
  readonly prefix: string
  /** TARGET: the name of the configuration's file is TARGET.conf. */
  readonly target: string
  /** installbuilddir: the tools of apxs, and the template of a module. */
  readonly build: string
  /** bindir */
  readonly programs: string
}

/**
 * Reads the description of this installation: its `config_vars.mk`, or the one that GATEWRIGHT_CONFIG_VARS
 * names.
 * @param settings `VAR=value` of -S
 */
export function readInstallation(settings: readonly string[]): Installation {
  const file = process.env.GATEWRIGHT_CONFIG_VARS ?? CONFIG_VARIABLES
  let vars: ConfigVars
  try {
    vars = readConfigVars(file)
  } catch (error) {
    const hint =
      'apxs requires an installed server: run build/install, or set GATEWRIGHT_CONFIG_VARS to the config_vars.mk of an installation'
    throw new ApxsFailure(`cannot open ${file}: ${reasonOf(error)}`, hint)
  }
  return installation(vars, settings)
}

/** @throws UnknownVariable if a word of -S is malformed or names an unknown variable */
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

/** An error in -S, which is followed by the usage. */
export class UnknownVariable extends Error {}
