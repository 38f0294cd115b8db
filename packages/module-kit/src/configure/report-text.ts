import type { ConfigureReport } from './configure.ts'

/** The report for people, line by line. */
export function reportLines(report: ConfigureReport): string[] {
  const loaded = report.shared.filter((module) => module.loaded).length
  const { asked, used } = report.processModel
  return [
    `prefix           ${report.folders.prefix || '/'}  (layout ${report.layout})`,
    `port             ${report.port}`,
    `process model    ${used}, built in${asked === null || asked === used ? '' : ` (requested: ${asked})`}`,
    `shared modules   ${report.shared.length}, ${loaded} of them loaded by the installed configuration`,
    ...wrapped(report.shared.map(({ name, loaded }) => (loaded ? name : `(${name})`))),
    `static modules   ${report.static.length}`,
    ...wrapped(report.static),
    ...list(
      'omitted, not provided by this server',
      report.leftOut.map((name) => `mod_${name}`),
    ),
    ...list(
      'not needed, the function is built in',
      report.notNeeded.map((name) => `mod_${name}`),
    ),
    ...list('without effect here', report.withoutMeaning),
    ...list(
      'unknown, ignored',
      report.unknown.map(({ text, hint }) => (hint === null ? text : `${text} (did you mean ${hint}?)`)),
    ),
    ...recordedLines(report),
  ]
}

function recordedLines({ recordedBy, changedDefaults }: ConfigureReport): string[] {
  if (recordedBy === undefined) return []
  if (recordedBy === null)
    return ['recorded by      2.2 or 2.4 (not evident from the options); add --from-2.2 to list what has changed since 2.2']
  return [
    `recorded by      httpd ${recordedBy}`,
    ...list(
      'changed since 2.2',
      changedDefaults.map((change) => {
        const restored = change.restoredBy === undefined ? '' : `  [as before: ${change.restoredBy}]`
        return `${change.topic}: ${change.old} -> ${change.new}${restored}`
      }),
    ),
  ]
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `    ${item}`)]
}

const WIDTH = 100

function wrapped(words: readonly string[]): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of words) {
    if (line !== '' && line.length + word.length + 1 > WIDTH) {
      lines.push(`    ${line}`)
      line = ''
    }
    line = line === '' ? word : `${line} ${word}`
  }
  return line === '' ? lines : [...lines, `    ${line}`]
}
