import { dirname } from 'node:path'
import { ConfigError } from '@gatewright/core'
import type { Checked, Job, Trouble } from '@gatewright/language-server'
import type { Finding } from '@gatewright/policy'
import { lint, moduleFindings } from '@gatewright/policy'
import { type AnalysedSite, analysedSite, isAccessFile } from './analysed-site.ts'
import { grantedClasses } from './granted-classes.ts'

/** Every line of a configuration and of open .htaccess files that does not load. */
export async function checkJob(job: Job): Promise<Checked> {
  const site = await analysedSite(job)
  const { configuration, mistakes, files, serverRoot, madeUp } = site
  const accessFiles = Object.entries(job.texts).filter(([path]) => isAccessFile(path))
  const granted: Record<string, readonly string[]> = {}
  if (configuration !== null)
    for (const [path] of accessFiles) granted[path] = grantedClasses(configuration.folderSettings(dirname(path)))
  return {
    troubles: [...mistakes.map((mistake) => troubleOf(mistake, 'error')), ...accessTroubles(site, accessFiles)],
    files: files.filter((path) => !madeUp.has(path)),
    serverRoot,
    defines: Object.fromEntries([...(configuration?.defines ?? [])].map(([name, value]) => [name, value ?? ''])),
    granted,
  }
}

/** Access rules without the effect that they suggest, of the part of the configuration that loads. */
export async function lintJob(job: Job): Promise<readonly Trouble[]> {
  const site = await analysedSite(job)
  if (site.configuration === null) return []
  let found: readonly Finding[] = []
  try {
    const server = await site.open({ ...ONLY_CHECKED })
    found = moduleFindings(server.configuration)
    const findings = await lint(server, { madeUp: site.madeUp, modules: { found, isWanted: () => true } })
    await server.close()
    return findings.map(({ file, line, severity, message, hint, rule }) => ({ file, line, severity, message, hint, rule }))
  } catch (error) {
    // Modules that do not get ready, because of a file that is missing, would end the start as well.
    if (error instanceof ConfigError) return isPlaced(error) ? [troubleOf(error, 'warning')] : []
    throw error
  }
}

const ONLY_CHECKED = { skipDocumentRootCheck: true }

function isPlaced({ file, line, message }: ConfigError): boolean {
  return file !== '' && line > 0 && !/ERR_ACCESS_DENIED|restricted/.test(message)
}

function accessTroubles(site: AnalysedSite, files: readonly (readonly [string, string])[]): Trouble[] {
  const troubles: Trouble[] = []
  for (const { path, isRead, mistakes, passedOver } of site.configuration?.checkAccessTexts(files) ?? []) {
    for (const mistake of mistakes) troubles.push(troubleOf(mistake, 'error'))
    for (const mistake of passedOver) troubles.push(troubleOf(mistake, 'warning'))
    if (!isRead)
      troubles.push({
        file: path,
        line: 1,
        severity: 'warning',
        message: 'the server does not read this file: AllowOverride is None here',
        hint: 'set AllowOverride in the <Directory> section of this folder',
        rule: null,
      })
  }
  return troubles
}

function troubleOf(
  {
    file,
    line,
    message,
    hint,
  }: { readonly file: string; readonly line: number; readonly message: string; readonly hint?: string },
  severity: Trouble['severity'],
): Trouble {
  return { file, line, severity, message, hint: hint ?? null, rule: null }
}
