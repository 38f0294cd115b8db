import { placeTextBelow } from '../place-text.ts'
import type { PolicyServer } from '../policy-server.ts'
import type { CheckResult } from './check-report.ts'

/**
 * A result for each .htaccess file of a folder and its subfolders: a mistake in one makes the server answer
 * every request there with 500.
 */
export function fileResults({ configuration }: PolicyServer, folder: string): CheckResult[] {
  const placeText = placeTextBelow(folder)
  const results: CheckResult[] = []
  for (const { file } of configuration.checkAccessFiles(folder)) {
    if (file === null) continue
    // Lines for other servers are not reported, but a name that resembles one of ours is probably misspelt.
    const misspelt = file.passedOver.filter(({ hint }) => hint?.startsWith('did you mean') === true)
    const mistakes = [...file.mistakes, ...misspelt].sort((a, b) => a.line - b.line)
    const [first, ...others] = mistakes
    const hint = first?.hint === undefined ? [] : [`hint: ${first.hint}`]
    results.push({
      kind: 'file',
      title: `${placeText({ file: file.path, line: 0 })} has no mistakes`,
      passed: first === undefined,
      place: first === undefined ? null : { file: placeText({ file: first.file, line: 0 }), line: first.line },
      expected: 'no mistakes',
      actual: first?.message ?? 'none',
      reason: [...others.map(({ line, message }) => `line ${line}: ${message}`), ...hint].join('; '),
      answeredBy: null,
      note: '',
      explanation: null,
    })
  }
  return results
}
