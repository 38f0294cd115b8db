import { findProgram } from '../fixtures/find-program.ts'
import { startScannedServer } from './scanned-server.ts'
import { SCANNERS } from './scanners.ts'

/** npm run tls-scan: what scanners say about the good defaults. Arguments are names of scanners; --all prints all findings. */
async function main(words: readonly string[]): Promise<number> {
  const names = words.filter((word) => word !== '--all')
  const unknown = names.find((name) => !SCANNERS.some((scanner) => scanner.name === name))
  if (unknown !== undefined) {
    console.error(
      `tls-scan: there is no ${unknown}\nhint: npm run tls-scan -- [--all] [${SCANNERS.map(({ name }) => name).join('] [')}]`,
    )
    return 2
  }
  const ends: (() => Promise<void>)[] = []
  let [passed, failed] = [0, 0]
  try {
    const server = await startScannedServer({ teardown: (end) => void ends.push(end) })
    for (const scanner of SCANNERS) {
      if (names.length > 0 && !names.includes(scanner.name)) continue
      const program = findProgram(...scanner.programs)
      if (program === null) {
        console.log(`skipped: ${scanner.name} is not installed; apt-get install ${scanner.package}`)
        continue
      }
      console.log(`--- ${scanner.name}`)
      for (const { about, text, verdict } of await scanner.scan(program, server)) {
        if (verdict === 'bad') failed++
        else passed++
        if (verdict === 'bad') console.log(`FAILED   ${about}: ${text}`)
        else if (verdict === 'expected') console.log(`expected ${about}: ${text}`)
        else if (words.includes('--all')) console.log(`ok       ${about}: ${text}`)
      }
    }
  } finally {
    for (const end of ends.reverse()) await end()
  }
  console.log(`${passed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
