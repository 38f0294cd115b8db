import {
  type CheckReport,
  COLOURS,
  NO_COLOURS,
  type Palette,
  reportJson,
  reportJunit,
  reportTap,
  reportText,
} from '@gatewright/policy'
import type { CheckFormat, CheckRequest } from './check-options.ts'

/** The format that was asked for, or that fits where the output goes. */
export function formatOf({ format, output }: CheckRequest): CheckFormat {
  return format ?? (output === null && process.stdout.isTTY ? 'human' : 'tap')
}

/** A report in the format of a request. */
export function reportOutput(report: CheckReport, request: CheckRequest): string {
  switch (formatOf(request)) {
    case 'human':
      return reportText(report, paletteOf(request))
    case 'tap':
      return reportTap(report)
    case 'junit':
      return reportJunit(report)
    case 'json':
      return reportJson(report)
  }
}

export function paletteOf({ colour, output }: CheckRequest): Palette {
  const isFit = output === null && process.stdout.isTTY && (process.env.NO_COLOR ?? '') === ''
  return colour === 'always' || (colour === 'auto' && isFit) ? COLOURS : NO_COLOURS
}
