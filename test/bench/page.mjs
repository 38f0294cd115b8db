import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PAGE = join(import.meta.dirname, '../../docs/performance.md')
const BEGIN = '<!-- figures: written by npm run bench -- --page -->'
const END = '<!-- end of figures -->'

/** Replaces the figures in docs/performance.md. */
export function writePage(document, today = new Date()) {
  const text = readFileSync(PAGE, 'utf8')
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (from < 0 || to < from) throw new Error(`${PAGE} does not contain '${BEGIN}' and '${END}'\nhint: restore the page from Git`)
  writeFileSync(PAGE, `${text.slice(0, from)}${BEGIN}\n\n${figures(document, today)}\n${text.slice(to)}`)
}

/**
 * The figures as Markdown.
 * @param {{ machine: { processor: string, cores: number, node: string }, versions: Record<string, string | undefined>,
 *   rounds: number, scenarios: readonly object[] }} document the output of --json
 */
export function figures({ machine, versions, rounds, scenarios }, today) {
  const others = Object.keys(versions).filter((name) => name !== 'gatewright')
  const measured = others.filter((name) => scenarios.some(({ servers }) => servers[name] != null))
  const stated = Object.entries(versions).map(([name, version]) => `${name} (${version ?? 'version unknown'})`)
  return [
    `Measured on ${today.toISOString().slice(0, 10)}: ${machine.cores} cores of ${machine.processor}, Node ${machine.node}, ${rounds} rounds.`,
    `Servers: ${stated.join(', ')}.`,
    '',
    row(['Scenario', 'CPU µs', 'Spread', ...measured.flatMap((name) => [`÷ ${name}`])]),
    row(['---', '--:', '--:', ...measured.map(() => '--:')]),
    ...scenarios.map((scenario) => scenarioRow(scenario, measured)),
    '',
  ].join('\n')
}

function scenarioRow({ name, servers, ratios }, others) {
  const { cpuMicroseconds, rounds } = servers.gatewright
  const each = rounds.map((round) => round.cpuMicroseconds)
  const spread = `${Math.min(...each).toFixed(0)} to ${Math.max(...each).toFixed(0)}`
  return row([`\`${name}\``, cpuMicroseconds.toFixed(1), spread, ...others.map((other) => ratioText(ratios[other]))])
}

function ratioText(ratio) {
  return ratio === undefined ? '' : ratio.cpuMicroseconds.toFixed(2)
}

function row(cells) {
  return `| ${cells.join(' | ')} |`
}
