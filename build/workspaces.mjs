import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashOf, hashOfText, ROOT, workspaceFolders, workspaceInputs } from './inputs.cjs'

/** The package that every module's tsup.config.ts imports, so it is built before modules. */
const MODULE_KIT = '@gatewright/module-kit'

/**
 * All workspaces with something to build, each after those it depends on.
 * @returns {{ name: string, folder: string, command: string, needs: string[], hash: string }[]} `needs` are names of others in the list;
 * `hash` covers the sources of the workspace and of all it depends on
 */
export function workspaces() {
  const all = new Map(workspaceFolders().map(describe))
  const ordered = []
  const place = (each, path) => {
    if (path.includes(each.name)) throw new Error(`packages depend on each other: ${[...path, each.name].join(' -> ')}`)
    if (ordered.includes(each)) return
    each.needs = each.dependencies.filter((name) => all.has(name))
    for (const name of each.needs) place(all.get(name), [...path, each.name])
    each.hash = hashOfText([hashOf(workspaceInputs(each.folder)), ...each.needs.map((name) => all.get(name).hash)].join())
    ordered.push(each)
  }
  for (const each of all.values()) place(each, [])
  return ordered.filter((each) => each.command !== undefined)
}

function describe(folder) {
  const { name, dependencies = {}, scripts = {} } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const implied = folder.startsWith('modules/') ? [MODULE_KIT] : []
  const hasSource = existsSync(join(ROOT, folder, 'src/index.ts'))
  return [
    name,
    { name, folder, command: hasSource ? scripts.build : undefined, dependencies: [...Object.keys(dependencies), ...implied] },
  ]
}
