import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readConfigVars } from '@gatewright/module-kit/config-vars'
import { ConfigureError } from '@gatewright/module-kit/configure'
import { LAYOUT } from '../layout.ts'
import { CONFIG_VARIABLES, DEFAULT_ROOT } from '../program.ts'
import { print } from '../startup-output.ts'
import { movedPrefix } from './moved-prefix.ts'

/** An option of install, not of configure. */
const ONLY_BUILT = '--built'

/**
 * `gatewright rebuild`: runs config.nice, build and install again, with additional words for configure.
 * @returns the exit status
 */
export function runRebuild(argv: readonly string[]): number {
  if (argv.includes('--help') || argv.includes('-h')) {
    print(1, REBUILD_USAGE)
    return 0
  }
  try {
    return rebuild(findOrigin(), argv)
  } catch (error) {
    if (!(error instanceof ConfigureError)) throw error
    for (const line of error.lines('gatewright rebuild')) print(2, line)
    return 1
  }
}

function rebuild({ niceFile, source, buildFolder }: Origin, argv: readonly string[]): number {
  const words = argv.filter((word) => word !== ONLY_BUILT)
  const how = words.length < argv.length ? [ONLY_BUILT] : []
  const prefix = LAYOUT.root === '.' ? movedPrefix(niceFile, DEFAULT_ROOT) : undefined
  print(1, `[1/2] configure: ${[niceFile, ...words].join(' ')}`)
  if (!succeeds('/bin/sh', [niceFile, ...(prefix === undefined ? [] : [`--prefix=${prefix}`]), ...words])) {
    print(2, 'gatewright rebuild: error: configure failed; the server is unchanged')
    print(2, 'hint: see its messages above; build/configure --help lists the options')
    return 1
  }
  print(1, '\n[2/2] build and install')
  if (!succeeds(join(source, 'build/install'), ['--build-dir', buildFolder, ...how])) {
    print(2, 'gatewright rebuild: error: the server was not built or not installed; see the messages above')
    print(2, `hint: after correcting the cause, continue with ${join(source, 'build/install')} --build-dir ${buildFolder}`)
    return 1
  }
  return 0
}

interface Origin {
  readonly niceFile: string
  readonly source: string
  readonly buildFolder: string
}

/** The source of this installation. @throws ConfigureError if it cannot be built again from there */
function findOrigin(): Origin {
  const niceFile = join(dirname(CONFIG_VARIABLES), 'config.nice')
  if (!existsSync(niceFile) || !existsSync(CONFIG_VARIABLES))
    throw new ConfigureError(
      `${niceFile} does not exist: this server was not installed by build/install`,
      'in a source tree, npm run build rebuilds dist/; build/configure and build/install create an installation',
    )
  const variables = readConfigVars(CONFIG_VARIABLES)
  const source = variables.get('gatewright_source') ?? ''
  const buildFolder = variables.get('gatewright_build') ?? ''
  if (!existsSync(join(source, 'build/install')))
    throw new ConfigureError(
      `the source tree of this server does not exist: ${source || 'none is recorded'}`,
      `get the sources, then run in their folder: build/configure --from ${niceFile} && build/install`,
    )
  return { niceFile, source, buildFolder }
}

function succeeds(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: 'inherit' }).status === 0
}

const REBUILD_USAGE = `Usage: gatewright rebuild [OPTION]...

Builds this server again with its recorded configuration and any additional options of build/configure, and installs it over
itself. Configuration and pages are kept. Requires the source tree from which the server was built.

  gatewright rebuild                                the same configuration, from the current sources
  gatewright rebuild --enable-status=static         with one module compiled in
  gatewright rebuild --built                        with the existing module files, without checking their sources`
