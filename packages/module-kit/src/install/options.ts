import { parseArgs } from 'node:util'

export interface InstallOptions {
  readonly help: boolean
  readonly json: boolean
  /** Skips the sources. */
  readonly onlyBuilt: boolean
  /** Prepended to every path; empty for none. */
  readonly destination: string
  /** Folder of config.nice; null for build/. */
  readonly buildFolder: string | null
}

/** @throws TypeError for an unknown option, or an option without its value */
export function parseInstallOptions(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): InstallOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      destdir: { type: 'string' },
      'build-dir': { type: 'string' },
      built: { type: 'boolean' },
      json: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  })
  return {
    help: values.help === true,
    json: values.json === true,
    onlyBuilt: values.built === true,
    destination: (values.destdir ?? environment['DESTDIR'] ?? '').replace(/\/+$/, ''),
    buildFolder: values['build-dir'] ?? null,
  }
}

export const INSTALL_USAGE: string = `Usage: build/install [--destdir DIR] [--build-dir DIR] [--built] [--json]

Builds what changed since the last build and installs what build/configure decided. An existing configuration and existing pages are kept;
the configuration of this version is written to original/ next to them. A running server can continue: restart it afterwards.

  --destdir DIR     installs below DIR, for packages: DIR/usr/... instead of /usr/... [$DESTDIR]
  --build-dir DIR   folder given to configure with the same option [build/]
  --built           installs the existing module files, without checking their sources
  --json            prints the result as JSON`
