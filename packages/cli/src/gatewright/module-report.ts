import type { StampedContents } from '@gatewright/api/stamp'
import type { InspectedModule } from '@gatewright/core'
import { signersOf } from './module-signers.ts'

/** The report of one file, for people. */
export function moduleReport({ file, stamp, digest, refusal }: InspectedModule): string {
  const rows: (readonly [string, string])[] = []
  if (stamp !== undefined) {
    rows.push(['module', `${stamp.module}, source ${stamp.source}`])
    rows.push(['built for', `API ${stamp.api}, cookie ${stamp.cookie}, module magic number ${stamp.magic}`])
    for (const list of LISTS) rows.push([list, listed(stamp.contents, list)])
    const { capabilities } = stamp
    rows.push([
      'declares',
      capabilities === undefined ? 'not recorded: the file was built before API 2.4.6' : capabilities.join(', ') || 'nothing',
    ])
    rows.push(['signed by', signersOf(file)])
    rows.push(['digest', `${stamp.digest}, ${digest === stamp.digest ? 'which the file has' : `but the file has ${digest}`}`])
  }
  if (refusal === null) rows.push(['verdict', `passes the gate: LoadModule ${stamp?.module} ${file}`])
  else rows.push(['verdict', `refused: ${refusal.message}`], ['hint', refusal.hint])
  return [file, ...rows.map(([label, text]) => `  ${label.padEnd(LABEL_WIDTH)}${text}`)].join('\n')
}

/** The same report as data. */
export function moduleData({ file, stamp, digest, refusal }: InspectedModule): object {
  return {
    file,
    loads: refusal === null,
    refusal,
    stamp: stamp ?? null,
    digest: digest ?? null,
    intact: stamp !== undefined && stamp.digest === digest,
  }
}

const LABEL_WIDTH = 12
const LISTS = ['directives', 'hooks', 'providers'] as const

function listed(contents: StampedContents | undefined, list: (typeof LISTS)[number]): string {
  if (contents === undefined) return 'not recorded: the file was built before API 2.4.4'
  const names = contents[list].map((name) => (name.startsWith('<') ? `${name}>` : name)).join(', ')
  if (!contents.more.includes(list)) return names === '' ? 'none' : names
  const rest = 'not recorded: the source computes them'
  return names === '' ? rest : `${names}, and others ${rest}`
}
