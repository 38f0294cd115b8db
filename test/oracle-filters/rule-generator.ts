import type { Random } from '../fixtures/random.ts'

const LINES: readonly string[] = ['a b c', 'aab abc', '', 'x/y a.c', 'b', 'abcabc', 'a*b', '[b]', '  a']

/** A text of a few lines, with or without a line feed at the end. */
export function randomText(random: Random): string {
  return random.several(1, 6, () => random.pick(LINES)).join('\n') + random.pick(['', '\n'])
}

/** A script of sed that is valid, without blocks: httpd ignores what follows one. */
export function randomScript(random: Random): string {
  const commands = random.several(1, 3, () => `${address(random)}${command(random)}`)
  return (random.percent(5) ? '#n;' : '') + commands.join(';')
}

function address(random: Random): string {
  if (random.percent(40)) return ''
  const one = (): string =>
    random.percent(50) ? String(1 + random.below(5)) : random.percent(20) ? '$' : `/${random.pick(BASIC)}/`
  const range = random.percent(40) ? `,${one()}` : ''
  return `${one()}${range}${random.percent(20) ? '!' : ''}`
}

function command(random: Random): string {
  if (random.percent(50)) {
    const flags = random.pick(['', 'g', '2', 'p', 'gp', '3'])
    return `s/${random.pick(BASIC)}/${random.pick(['X', '', '[&]', '\\&', 'a&b'])}/${flags}`
  }
  return random.pick(['d', 'p', 'n', 'N', 'D', 'P', 'g', 'G', 'h', 'H', 'x', 'y/abc/xyz/'])
}

const BASIC: readonly string[] = [
  'a',
  'b*',
  'a*b',
  '^a',
  'c$',
  '.',
  'a.c',
  '[ab]',
  '[^a ]*',
  '\\(a\\)b',
  'a\\{1,2\\}',
  '^',
  '$',
  'x*',
  '\\.',
  'ab*c',
  '.*',
  '\\(a*\\)b',
  '[a-c]*$',
  ' ',
]

/** A substitution that is valid and always finds at least a character. */
export function randomSubstitution(random: Random): string {
  const flags = random.pick(['', 'i', 'n', 'q', 'f', 'ni', 'iq'])
  const fixed = flags.includes('n')
  const searched = random.pick(
    fixed ? ['a', 'ab', '.', 'A', 'b c'] : ['a', 'a+', 'b|c', '(a)(b)', '[abc]+', '\\s', '^a', 'c$', 'a.', 'x?y', 'A'],
  )
  return `s/${searched}/${random.pick(['X', '', '$0$0', '[$1]', 'a', '\\$1', 'b&'])}/${flags}`
}
