import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { ConfigureError, type ConfigureReport, configure, readNiceFile } from '@gatewright/module-kit/configure'
import type { UpgradeFinding } from '@gatewright/policy'
import { COMPILED_IN } from '../compiled-in.ts'
import { installedModules } from './installed-modules.ts'

/**
 * How this server supports the options that an httpd was built with, in the words of configure.
 * @param file config.nice, which is parsed, never executed
 * @param line the line of httpd that recorded it; undefined to detect it
 * @throws the error of reading the file
 */
export function niceFileFindings(file: string, line: '2.2' | '2.4' | undefined): UpgradeFinding[] {
  const place = { file, line: 0 }
  try {
    const { report } = configure({
      words: [],
      recorded: { nice: readNiceFile(readFileSync(file, 'utf8'), file), line },
      environment: {},
      available: availableHere(),
      program: 'build/configure',
      readFile: (path) => readFileSync(path, 'utf8'),
    })
    return findings(report).map((finding) => ({ kind: 'option', place, ...finding }))
  } catch (error) {
    if (!(error instanceof ConfigureError)) throw error
    return [
      {
        kind: 'option',
        weight: 'look',
        place,
        subject: 'config.nice',
        text: `${error.message}; ${error.hint}`,
        instead: null,
        by: 'hand',
      },
    ]
  }
}

type Told = Omit<UpgradeFinding, 'kind' | 'place'>

function findings(report: ConfigureReport): Told[] {
  const know = (subject: string, text: string): Told => ({ subject, weight: 'know', text, instead: null, by: null })
  return [
    ...report.leftOut.map(
      (name): Told => ({
        subject: `mod_${name}`,
        weight: 'look',
        text: 'requested, but not provided by this server: configure omits it',
        instead: null,
        by: 'hand',
      }),
    ),
    ...report.changedDefaults.map(
      (change): Told => ({
        subject: change.topic,
        weight: 'look',
        text: `not set: it was ${change.old}, and is now ${change.new}`,
        instead: change.restoredBy === undefined ? null : [change.restoredBy],
        by: 'hand',
      }),
    ),
    ...report.unknown.map(
      ({ text, hint }): Told => ({
        subject: text,
        weight: 'look',
        text: 'unknown, ignored',
        instead: hint === null ? null : [hint],
        by: 'hand',
      }),
    ),
    know('--prefix', `obeyed: ${report.folders.prefix || '/'}, layout ${report.layout}, port ${report.port}`),
    know(
      `${report.shared.length} shared and ${report.static.length} static modules`,
      `obeyed: ${[...report.shared.map(({ name }) => name), ...report.static].join(', ')}`,
    ),
    ...(report.processModel.asked === null
      ? []
      : [know(`--with-mpm=${report.processModel.asked}`, `changed: the process model is ${report.processModel.used}, built in`)]),
    ...report.notNeeded.map((name) => know(`mod_${name}`, 'not needed: the function is built in')),
    ...report.withoutMeaning.map((text) => know(text, 'without effect here')),
  ]
}

function availableHere(): string[] {
  const shared = installedModules().map((file) => basename(file, '.mjs'))
  return [...shared, ...COMPILED_IN.map(({ source }) => basename(source, '.c'))].map((name) => name.replace(/^mod_/, ''))
}
