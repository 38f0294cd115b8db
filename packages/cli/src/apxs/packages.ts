import { existsSync, lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ApxsConsole } from './console.ts'
import type { Installation } from './installation.ts'
import { toolchainFolder } from './toolchain.ts'

/** Packages of the installed server that modules may import by name. */
const FOR_MODULES = ['@gatewright/api', '@gatewright/testing']
/** Further packages that editors need. */
const FOR_EDITORS = ['@types/node', 'undici-types']

/** The folders of the packages that sources are compiled against, by name. */
export function compiledAgainst({ include }: Installation): Readonly<Record<string, string>> {
  return Object.fromEntries(FOR_MODULES.map((name) => [name, join(include, name)]))
}

/**
 * Links a package's `node_modules` to the installed server, so that Node, TypeScript and editors find there
 * what a registry would otherwise provide, and npm runs the Node of the server. Valid links are kept.
 */
export function linkPackages(folder: string, installation: Installation, console: ApxsConsole): void {
  const { include, build, programs } = installation
  const links = [
    ...FOR_MODULES.map((name) => [name, join(include, name)]),
    ...FOR_EDITORS.map((name) => [name, join(toolchainFolder(build), 'node_modules', name)]),
    ['.bin/node', process.execPath],
    ['.bin/apxs', join(programs, 'apxs')],
  ]
  for (const [name, target] of links) {
    const link = join(folder, 'node_modules', name)
    if (existsSync(link)) continue
    if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) rmSync(link)
    console.err(`Creating [LINK] ${link}`)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link)
  }
}
