import type { DocumentItem } from '@gatewright/config'
import type { Requirement } from '../site/requirement.ts'
import { writtenFor } from '../site/writing.ts'

/** The style of inserted lines. */
export interface LineStyle {
  readonly indent: string
  /** The use of a macro through which they are read; null if they are read directly. */
  readonly frame: string | null
}

const STEP = '  '

/**
 * The lines of a section that express a formula, without line ends. Several lines without a container mean
 * "any".
 */
export function requirementLines(requirement: Requirement, style: LineStyle): string[] {
  if (requirement.kind === 'any' && requirement.written === undefined)
    return requirement.children.flatMap((child) => linesOf(child, style))
  return linesOf(requirement, style)
}

function linesOf(requirement: Requirement, style: LineStyle): string[] {
  const { indent, frame } = style
  const { written } = requirement
  if (written !== undefined && (written.frame === null || written.frame === frame)) return writtenLines(written.item, indent)
  switch (requirement.kind) {
    case 'granted':
    case 'denied':
      return [`${indent}Require all ${requirement.kind}`]
    case 'line': {
      const { negated, text, writing } = requirement
      return [`${indent}Require ${negated ? 'not ' : ''}${writtenFor(frame, text, writing)}`]
    }
    default: {
      const name = NAMES[requirement.kind]
      const inner = requirement.children.flatMap((child) => linesOf(child, { indent: indent + STEP, frame }))
      return [`${indent}<${name}>`, ...inner, `${indent}</${name}>`]
    }
  }
}

const NAMES = { all: 'RequireAll', any: 'RequireAny', none: 'RequireNone' } as const

/** The item's own lines, moved to their new position; relative indentation is kept. */
function writtenLines(item: DocumentItem, indent: string): string[] {
  const lines = rawText(item)
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
  const own = /^[ \t]*/.exec(lines[0])?.[0] ?? ''
  return lines.map((line) => (line.startsWith(own) ? indent + line.slice(own.length) : line))
}

export function rawText(item: DocumentItem): string {
  if (item.kind !== 'section') return item.raw ?? ''
  return (item.raw ?? '') + item.items.map(rawText).join('') + (item.closing?.raw ?? '')
}
