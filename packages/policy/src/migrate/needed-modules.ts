import type { DirectiveItem, SectionItem } from '@gatewright/config'
import type { ConfigFiles } from '../site/config-files.ts'
import type { Remark } from '../site/remark.ts'

export interface AddedLine {
  readonly path: string
  readonly line: number
  readonly lines: readonly string[]
  /** The identifier of the module that they load. */
  readonly module: string
  readonly remark: string
}

/** The line that the tool itself adds for rules that remain in the old dialect. */
export const COMPAT_REMARK = 'in 2.4, mod_access_compat provides Order, Allow, Deny and Satisfy'

/**
 * LoadModule lines that 2.4 needs in addition to those of 2.2: for configurations that load mod_authz_host,
 * the module of the old host rules, themselves.
 */
export function missingModules(files: ConfigFiles): AddedLine[] {
  const loads = [...files.items()].flatMap(({ path, item }) =>
    item.kind === 'directive' && item.name.toLowerCase() === 'loadmodule' ? [{ path, item }] : [],
  )
  const loaded = new Set(loads.map(({ item }) => item.words[0]?.toLowerCase()))
  const model = loads.find(({ item }) => item.words[0]?.toLowerCase() === 'authz_host_module')
  if (model === undefined || loaded.has('authz_core_module')) return []
  return Object.entries(NEEDED).flatMap(([module, remark]) => {
    const text = lineLike(model.item, module)
    if (loaded.has(module) || text === null) return []
    const lines = module === UNIXD ? ['<IfModule !mod_unixd.c>', text, '</IfModule>'] : [text]
    return [{ path: model.path, line: model.item.line ?? 1, lines, module, remark }]
  })
}

/** Part of some servers, a module of others. */
const UNIXD = 'unixd_module'

const NEEDED: Readonly<Record<string, string>> = {
  authn_core_module: 'in 2.4, mod_authn_core provides AuthType and AuthName',
  authz_core_module: 'in 2.4, mod_authz_core provides Require',
  access_compat_module: COMPAT_REMARK,
  [UNIXD]: 'in 2.4, mod_unixd provides User and Group',
}

/** A LoadModule line that may not be read by a server which has the module without it. */
export interface GuardedLine extends Remark {
  readonly lastLine: number
  /** The argument of the guard, `mod_version.c`. */
  readonly guard: string
  readonly indent: string
}

/** Modules that are a part of this server, and of some builds of httpd: loading them again is an error. */
const BUILT_IN: ReadonlySet<string> = new Set(['log_config', 'logio', 'version', 'watchdog', 'unixd'])

/**
 * LoadModule lines that would end the start of a server with these modules built in, and that are in no guard
 * yet.
 */
export function builtInModules(files: ConfigFiles): GuardedLine[] {
  return [...files.items()].flatMap(({ path, item, parents }) => {
    if (item.kind !== 'directive' || item.name.toLowerCase() !== 'loadmodule') return []
    const name = item.words[0]?.toLowerCase().replace(/_module$/, '') ?? ''
    if (!BUILT_IN.has(name) || parents.some((parent) => isGuardOf(parent, name))) return []
    const line = item.line ?? 1
    const text = `mod_${name} is part of this server, and of httpd as built by Debian: its line is now in a guard for other servers`
    const indent = /^[ \t]*/.exec(item.raw ?? '')?.[0] ?? ''
    return [{ file: path, line, lastLine: item.lastLine ?? line, text, guard: `mod_${name}.c`, indent }]
  })
}

function isGuardOf({ name, text }: SectionItem, module: string): boolean {
  return name.toLowerCase() === 'ifmodule' && new RegExp(`^!\\s*(?:mod_${module}\\.c|${module}_module)$`, 'i').test(text.trim())
}

/** The file of the new module is next to that of the known one. */
function lineLike({ raw = '', words: [name = '', path = ''] }: DirectiveItem, module: string): string | null {
  const short = module.replace(/_module$/, '')
  if (!path.includes('authz_host')) return null
  return raw
    .replace(/\r?\n$/, '')
    .replace(name, module)
    .replace(path, path.replace('authz_host', short))
}
