import { hasPebble } from './pebble.ts'
import { STORIES } from './stories.ts'

/** npm run acme: every story against a real CA on loopback. Arguments are names of stories, or --list. */
async function main(names: readonly string[]): Promise<number> {
  if (names.includes('--list')) {
    for (const { name, about } of STORIES) console.log(`${name.padEnd(18)}${about}`)
    return 0
  }
  if (!hasPebble()) {
    console.error('install a CA for tests: apt-get install pebble')
    return 1
  }
  let failed = 0
  for (const story of STORIES) {
    if (names.length > 0 && !names.includes(story.name)) continue
    const ends: (() => Promise<void>)[] = []
    const begun = performance.now()
    try {
      await story.tell({ teardown: (end) => void ends.push(end) })
      console.log(`ok      ${story.name.padEnd(18)}${((performance.now() - begun) / 1000).toFixed(1)} s  ${story.about}`)
    } catch (error) {
      failed++
      console.log(`FAILED  ${story.name}: ${error instanceof Error ? error.stack : String(error)}`)
    }
    for (const end of ends.reverse()) await end()
  }
  return failed === 0 ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
