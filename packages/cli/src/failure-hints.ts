import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { exportedVariables } from './gatewright/debian-environment.ts'

/** Advice for a command that has failed, about its command line and its environment. */
export function failureHints(
  named: string | null,
  configFile: string,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return [hintAboutName(named, configFile), hintAboutVariables(configFile, environment)].filter((hint) => hint !== null)
}

/** A file that is there from the current folder, but not below ServerRoot, where httpd looks for it. */
function hintAboutName(named: string | null, configFile: string): string | null {
  if (named === null || isAbsolute(named) || existsSync(configFile) || !existsSync(named)) return null
  return `relative names of -f are below ServerRoot: -f ${resolve(named)}`
}

/** Variables of Debian's configuration, which apachectl sets and httpd does not. */
function hintAboutVariables(configFile: string, environment: Readonly<Record<string, string | undefined>>): string | null {
  const folder = dirname(configFile)
  const script = join(folder, 'envvars')
  const text = textOf(configFile)
  const exported = Object.keys(exportedVariables(textOf(script), folder, environment))
  const unset = exported.find((name) => environment[name] === undefined && text.includes(`\${${name}}`))
  if (unset === undefined) return null
  return `${script} sets \${${unset}}: run APACHE_CONFDIR=${folder} apachectl, or read the file first: . ${script}`
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
