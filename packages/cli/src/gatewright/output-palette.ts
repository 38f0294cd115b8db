import { COLOURS, NO_COLOURS, type Palette } from '@gatewright/policy'

/** When an output has colours: `auto` for a terminal, unless NO_COLOR is set. */
export type ColourChoice = 'always' | 'never' | 'auto'

/** The colours of standard output. */
export function outputPalette(colour: ColourChoice): Palette {
  const isFit = process.stdout.isTTY && (process.env.NO_COLOR ?? '') === ''
  return colour === 'always' || (colour === 'auto' && isFit) ? COLOURS : NO_COLOURS
}
