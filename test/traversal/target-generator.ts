import type { Random } from '../fixtures/random.ts'

// biome-ignore format: a table
/** Forms of `..`, including ones that some server once accepted. */
const UPS = [
  '..', '%2e%2e', '%2E%2E', '.%2e', '%2e.', '%2e%2E', '%252e%252e', '.%252e', '%25%32%65%25%32%65', '%%32%65%%32%65', '..;', '..;x=y', '..%3b', '%2e%2e;a',
  '%c0%ae%c0%ae', '%c0%2e%c0%2e', '%e0%80%ae%e0%80%ae', '%f0%80%80%ae%f0%80%80%ae', '%uff0e%uff0e', '%u002e%u002e', '\xc0\xae\xc0\xae', '%ef%bc%8e%ef%bc%8e',
  '..%00', '%00..', '..%20', '..%09', '..%0a', '..%0d', '..%2e', '...', '....', '.%00.', '..%01', '..%ff', '%2e%2e%20', '..\\', '..%5c', '%5c..', '..%255c',
  '.', '%2e', '%2e%2f%2e', '..:', '..~', '..%23', '..%3f',
]
// biome-ignore format: a table
const SLASHES = ['/', '/', '/', '/', '//', '///', '/./', '/%2e/', '%2f', '%2F', '%252f', '\\', '%5c', '%5C', '%255c', '%c0%af', '\xc0\xaf', '%e0%80%af', '%ef%bc%8f', ';/', '/;/', '%00/', '/%00', '/%20/', '%0a/']
// biome-ignore format: a table
const ENDS = ['', '', '', '', '/', '/.', '/..', '.', '..', '%20', '%00', '%00.html', '::$DATA', ';', ';x', '?', '?x', '?/../../secret/canary.txt', '~', '%23', '/x', '%2f', '.html', '%2e']

/** A target that tries to leave one of `places` for one of `prizes`; sometimes it only walks about. */
export function randomTarget(random: Random, places: readonly string[], prizes: readonly string[]): string {
  const slash = (): string => (random.percent(70) ? '/' : random.pick(SLASHES))
  let target = random.pick(places)
  for (let left = random.below(3); left > 0; left--) target += `${random.pick(['a', 'b', 'file.txt', 'A', ''])}${slash()}`
  // A single form mostly works everywhere or nowhere.
  const usual = random.pick(UPS)
  for (let left = random.below(7); left > 0; left--) target += `${random.percent(80) ? usual : random.pick(UPS)}${slash()}`
  const prize = random.pick(prizes).replaceAll('/', slash)
  target += random.percent(10) ? mixedCase(random, prize) : prize
  return (target.startsWith('/') || random.percent(5) ? target : `/${target}`) + random.pick(ENDS)
}

/** Letters escaped, once or twice. */
function mixedCase(random: Random, text: string): string {
  return text.replaceAll(/[a-z.]/g, (letter) => {
    if (random.percent(60)) return letter
    const code = letter.charCodeAt(0).toString(16)
    return random.pick([`%${code}`, `%${code.toUpperCase()}`, `%25${code}`])
  })
}
