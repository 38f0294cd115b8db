import { spawn, spawnSync } from 'node:child_process'
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { Listr } from 'listr2'
import { STATUS_FILE } from '../packages/module-kit/src/configure/command.ts'
import { readConfigStatus } from '../packages/module-kit/src/configure/config-status.ts'
import { installErrorLines } from '../packages/module-kit/src/install/install-error.ts'
import { installedLayout } from '../packages/module-kit/src/install/installed-layout.ts'
import { INSTALL_USAGE, parseInstallOptions } from '../packages/module-kit/src/install/options.ts'
import { placeItems } from '../packages/module-kit/src/install/place-items.ts'
import { planInstallation } from '../packages/module-kit/src/install/plan.ts'
import { bundlePrograms, PROGRAMS } from './bundle.mjs'
import { ROOT } from './inputs.cjs'
import { bringSiteUpToDate } from './site/current-site.ts'

const options = parsed()
if (options.help) {
  console.log(INSTALL_USAGE)
  process.exit(0)
}
const buildFolder = resolve(options.buildFolder ?? join(ROOT, 'build'))
const status = configured()
const { prefix } = status.folders
const placed = { written: 0, unchanged: 0, kept: [] }

try {
  refuseClosedPrefix()
  await tasks().run()
} catch (error) {
  fail(installErrorLines(error, prefix) ?? [`install: error: ${error.message}`])
}
tell()

function tasks() {
  const list = new Listr(
    [
      { title: 'build what changed', enabled: !options.onlyBuilt, task: (_context, task) => buildAll(task) },
      { title: 'build the manual if it changed', enabled: !options.onlyBuilt, task: () => bringSiteUpToDate() },
      { title: 'bundle the programs', task: async (context) => void (context.parts = plan(await bundle())) },
      {
        title: `install into ${options.destination}${prefix || '/'}`,
        task: ({ parts }, task) =>
          task.newListr(parts.map(({ title, items }) => ({ title, task: () => placeItems(items, options.destination, placed) }))),
      },
    ],
    { renderer: options.json ? 'silent' : 'default', fallbackRenderer: 'simple', rendererOptions: { collapseSubtasks: false } },
  )
  return list
}

function parsed() {
  try {
    return parseInstallOptions(process.argv.slice(2), process.env)
  } catch (error) {
    fail([`install: error: ${error.message}`, 'hint: build/install --help lists the options'])
  }
}

function configured() {
  const file = join(buildFolder, STATUS_FILE)
  try {
    return readConfigStatus(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error.code === 'ENOENT')
      fail([
        `install: error: nothing is configured in ${buildFolder}`,
        'hint: run build/configure first; --help lists its options',
      ])
    fail([`install: error: ${file}: ${error.message}`, 'hint: run build/config.nice, or build/configure, again'])
  }
}

/** A build may take minutes: report first whether the installation is possible. */
function refuseClosedPrefix() {
  let folder = `${options.destination}${prefix}` || '/'
  while (!existsSync(folder)) folder = dirname(folder)
  // For a file this reports the same error as for a folder.
  accessSync(`${folder}/.`, constants.W_OK)
}

/** The step of the bootstrap that does nothing when nothing changed. */
function buildAll(task) {
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [join(ROOT, 'build/bootstrap.cjs'), 'build'], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output = []
    const keep = (chunk) => {
      output.push(chunk)
      task.output = String(chunk).trimEnd().split('\n').at(-1)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.on('error', failed)
    child.on('close', (code) => (code === 0 ? done() : failed(new Error(`the build failed\n${Buffer.concat(output)}`))))
  })
}

function bundle() {
  return bundlePrograms({ modules: status.static, layout: installedLayout(status) })
}

function plan(bundles) {
  const materials = {
    source: ROOT,
    buildFolder,
    staged: join(ROOT, 'dist'),
    programs: Object.keys(PROGRAMS),
    bundles,
    node: realpathSync(process.execPath),
  }
  return planInstallation(status, materials, (path) => existsSync(`${options.destination}${path}`))
}

function tell() {
  const { folders, program } = status
  const { written, unchanged, kept } = placed
  const refused = refusedConfiguration()
  if (options.json) {
    console.log(JSON.stringify({ prefix, destination: options.destination, written, unchanged, kept, refused }, null, 2))
    return
  }
  console.log(
    `installed in ${options.destination}${prefix || '/'}: ${written} files written, ${unchanged} unchanged, ${kept.length} kept`,
  )
  if (kept.length > 0) console.log(`kept as they were; new versions in ${folders.sysconfdir}/original: ${kept.join(', ')}`)
  if (refused === null) {
    console.log(`next: ${folders.sbindir}/${program} -t && ${folders.sbindir}/apachectl start`)
    return
  }
  console.log(`the configuration that was kept does not load with what is installed now; ${program} -t says:`)
  for (const line of refused) console.log(`  ${line}`)
  console.log(
    `next: change that, and run ${folders.sbindir}/${program} -t; a running server continues with the modules that it has`,
  )
}

/**
 * A kept configuration is of the former installation: what the new server says about it if it does not load, else null. It
 * cannot be asked where it is installed for another place.
 */
function refusedConfiguration() {
  const { folders, program } = status
  if (options.destination !== '' || !placed.kept.includes(`${folders.sysconfdir}/${program}.conf`)) return null
  const { status: code, stderr } = spawnSync(`${folders.sbindir}/${program}`, ['-t'], { encoding: 'utf8', timeout: 120_000 })
  return code === 0 ? null : stderr.trim().split('\n')
}

function fail(lines) {
  for (const line of lines) console.error(line)
  process.exit(1)
}
