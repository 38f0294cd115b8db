import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigError } from '@gatewright/core'
import {
  type UpgradeReport,
  upgradeReport,
  upgradeReportHtml,
  upgradeReportJson,
  upgradeReportText,
  type Variant,
} from '@gatewright/policy'
import { DEFAULT_ROOT, MODULES_FOLDER } from '../program.ts'
import { replaceFile } from '../replace-file.ts'
import { print } from '../startup-output.ts'
import { configurationAt } from './configuration-at.ts'
import { filesToMigrate } from './migrate-files.ts'
import { niceFileFindings } from './nice-file-findings.ts'
import { openVariant } from './open-variant.ts'
import { outputPalette } from './output-palette.ts'
import { TolerantOpening } from './tolerant-opening.ts'
import { parseUpgradeReportOptions, UPGRADE_REPORT_USAGE, type UpgradeReportRequest } from './upgrade-report-options.ts'
import { printUsage } from './words.ts'

/** `gatewright upgrade-report`. @returns the exit status */
export async function runUpgradeReport(argv: readonly string[]): Promise<number> {
  const request = parseUpgradeReportOptions(argv)
  if (request === 'help' || 'complaint' in request) return printUsage('upgrade-report', request, UPGRADE_REPORT_USAGE)
  const folder = mkdtempSync(join(tmpdir(), 'gatewright-upgrade-'))
  try {
    const report = await makeReport(request, join(folder, 'hosts'))
    write(request, report)
    return report.verdict === 'ready' ? 0 : 1
  } catch (error) {
    if (error instanceof ConfigError) print(2, error.lines('gatewright upgrade-report').join('\n'))
    else if (error instanceof Error && 'code' in error) print(2, `gatewright upgrade-report: ${error.message}`)
    else throw error
    return 2
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function makeReport(request: UpgradeReportRequest, hostsFile: string): Promise<UpgradeReport> {
  const path = request.path ?? configurationAt(null, request.serverRoot).configFile
  // The whole configuration is reported, regardless of errors in individual lines.
  const opening = new TolerantOpening(({ line }) => line > 0)
  const files = await filesToMigrate({ ...request, path }, opening)
  const niceFile = request.niceFile ?? besides(files.serverRoot)
  return upgradeReport({
    subject: path,
    texts: files.texts,
    accessFolders: files.accessFolders,
    configFile: files.configFile,
    madeUp: files.madeUp,
    modulesFolder: MODULES_FOLDER,
    writtenFor: request.writtenFor,
    options: niceFile === null ? [] : niceFileFindings(niceFile, request.writtenFor ?? undefined),
    niceFile,
    unread: files.unread,
    refused: () => opening.passedOver,
    open: (variant: Variant) =>
      opening.open(variant.texts, (texts) => openVariant(files, request.defines, { ...variant, texts }, hostsFile)),
  })
}

/** The file to which httpd writes its build options. */
function besides(serverRoot: string): string | null {
  const file = join(serverRoot, 'build/config.nice')
  return serverRoot !== DEFAULT_ROOT && existsSync(file) ? file : null
}

function write({ output, htmlFile, colour }: UpgradeReportRequest, report: UpgradeReport): void {
  if (htmlFile !== null) replaceFile(htmlFile, inBytes(upgradeReportHtml(report)))
  print(1, output === 'json' ? upgradeReportJson(report) : inBytes(upgradeReportText(report, outputPalette(colour))))
}

/** The bytes of a text in UTF-8, one character each. */
function inBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
