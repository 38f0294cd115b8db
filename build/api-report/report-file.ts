/** A report in the repository. */
export interface ApiReport {
  readonly version: string
  readonly surface: string
  /**
   * The names that each entry exports, by the entry's name in imports: `@gatewright/api/text`; none for a
   * package with a single entry.
   */
  readonly entries: EntryNames
}

/** Names by entry. */
export type EntryNames = Readonly<Record<string, readonly string[]>>

const RULES = {
  open: '[README.md](README.md) describes which changes are allowed and which version they require.',
  frozen: 'This line is frozen: nothing of it changes.',
} as const

/** @param name of the package */
export function formatReport(name: string, { version, surface, entries }: ApiReport, rules: keyof typeof RULES): string {
  return `# API report of ${name}

API ${version}

Everything that modules can see of this package. It is written by \`npm run api:accept\`, read by reviewers, and compared with the sources by
\`npm run api:check\`. ${RULES[rules]}

\`\`\`ts
${surface}\`\`\`
${Object.keys(entries).length === 0 ? '' : `\n## Entries\n\nWhat can be imported from where.\n\n\`\`\`text\n${formatEntries(entries)}\`\`\`\n`}`
}

/** Undefined if the text is not a report. */
export function parseReport(text: string): ApiReport | undefined {
  const version = /^API (\d+\.\d+\.\d+)$/m.exec(text)?.[1]
  const surface = /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1]
  if (version === undefined || surface === undefined) return undefined
  return { version, surface, entries: parseEntries(/^```text\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? '') }
}

function formatEntries(entries: EntryNames): string {
  return Object.entries(entries)
    .map(([entry, names]) => `${entry}\n${names.map((name) => `  ${name}\n`).join('')}`)
    .join('')
}

function parseEntries(text: string): EntryNames {
  const entries: Record<string, string[]> = {}
  let names: string[] = []
  for (const line of text.split('\n')) {
    if (line.startsWith('  ')) names.push(line.trim())
    else if (line !== '') entries[line] = names = []
  }
  return entries
}
