import { type CheckReport, checkJson, checkJunit, checkTap, checkText, type Palette } from '@gatewright/policy'
import type { CheckFormat, CheckRequest } from './check-options.ts'
import { outputPalette } from './output-palette.ts'

/** The requested format, or the one that suits the output. */
export function formatOf({ format, output }: CheckRequest): CheckFormat {
  return format ?? (output === null && process.stdout.isTTY ? 'human' : 'tap')
}

/** A report in the format of a request. */
export function reportOutput(report: CheckReport, request: CheckRequest): string {
  switch (formatOf(request)) {
    case 'human':
      return checkText(report, paletteOf(request))
    case 'tap':
      return checkTap(report)
    case 'junit':
      return checkJunit(report)
    case 'json':
      return checkJson(report)
  }
}

export function paletteOf({ colour, output }: CheckRequest): Palette {
  // A file has colours only on request.
  return outputPalette(colour === 'auto' && output !== null ? 'never' : colour)
}
