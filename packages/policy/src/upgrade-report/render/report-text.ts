import type { Palette } from '../../render/palette.ts'
import type { UpgradeFinding, Weight } from '../finding.ts'
import type { UpgradeReport } from '../report.ts'
import { type Chapter, chapters, WEIGHT_NAMES } from './chapters.ts'
import { readable } from './readable.ts'
import { compatWords, headline, originWords } from './words.ts'

/** The report for people. The content of the configuration is not trusted to be text. */
export function upgradeReportText(report: UpgradeReport, palette: Palette): string {
  const { subject, origin, verdict, compat, steps, findings, unread } = readable(report)
  const colour = verdict === 'ready' ? palette.good : palette.bad
  return [
    palette.strong(subject),
    colour(headline(report)),
    originWords(origin),
    compatWords(compat),
    ...(steps.length === 0 ? [] : ['', palette.strong('Order of work')]),
    ...steps.flatMap(({ text, command }, index) => [
      `  ${index + 1}. ${text}`,
      ...(command === null ? [] : [`     ${palette.faint(command)}`]),
    ]),
    ...chapters(findings).flatMap((chapter) => chapterLines(chapter, palette)),
    ...(unread.length === 0 ? [] : ['', palette.strong('Not read'), ...unread.map((text) => `  ${text}`)]),
  ].join('\n')
}

function chapterLines({ title, none, findings }: Chapter, palette: Palette): string[] {
  if (findings.length === 0) return ['', palette.strong(title), `  ${palette.faint(none)}`]
  return ['', palette.strong(`${title} (${findings.length})`), ...findings.flatMap((finding) => findingLines(finding, palette))]
}

function findingLines({ weight, place, subject, text, instead, by }: UpgradeFinding, palette: Palette): string[] {
  const at = place === null ? '' : `${place.file}${place.line === 0 ? '' : `:${place.line}`}: `
  const done = by === 'migrate' ? ' [done by gatewright migrate]' : ''
  return [
    `  ${mark(weight, palette)} ${at}${palette.strong(subject)}`,
    ...wrapped(`${text}${done}`, WIDTH - INDENT.length).map((line) => INDENT + line),
    ...(instead ?? []).map((line) => `${INDENT}${palette.good(`+ ${line}`)}`),
    ...(instead?.length === 0 ? [`${INDENT}${palette.bad('- the line is removed')}`] : []),
  ]
}

const WIDTH = 110
const INDENT = '                '

function mark(weight: Weight, palette: Palette): string {
  const word = WEIGHT_NAMES[weight].padEnd(12)
  return weight === 'must' ? palette.bad(word) : weight === 'look' ? palette.waiting(word) : palette.faint(word)
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
