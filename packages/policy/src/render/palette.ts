/** Terminal colours, by meaning. */
export interface Palette {
  good(text: string): string
  bad(text: string): string
  waiting(text: string): string
  faint(text: string): string
  strong(text: string): string
}

export const COLOURS: Palette = {
  good: wrap(32, 39),
  bad: wrap(31, 39),
  waiting: wrap(33, 39),
  faint: wrap(2, 22),
  strong: wrap(1, 22),
}

const same = (text: string): string => text

export const NO_COLOURS: Palette = { good: same, bad: same, waiting: same, faint: same, strong: same }

function wrap(on: number, off: number): (text: string) => string {
  return (text) => `\u001b[${on}m${text}\u001b[${off}m`
}
