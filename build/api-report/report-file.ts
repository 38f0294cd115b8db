/** A report as it is kept in the repository. */
export interface ApiReport {
  readonly version: string
  readonly surface: string
}

const RULES = {
  open: 'What may change, and what number it takes, is said in [README.md](README.md).',
  frozen: 'This line is frozen: nothing of it changes.',
} as const

/** @param name of the package */
export function formatReport(name: string, { version, surface }: ApiReport, rules: keyof typeof RULES): string {
  return `# API report of ${name}

API ${version}

Everything that modules can see of this package. It is written by \`npm run api:accept\`, read by reviewers, and compared with the sources by
\`npm run api:check\`. ${RULES[rules]}

\`\`\`ts
${surface}\`\`\`
`
}

/** Undefined when the text is no report. */
export function parseReport(text: string): ApiReport | undefined {
  const version = /^API (\d+\.\d+\.\d+)$/m.exec(text)?.[1]
  const surface = /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1]
  return version === undefined || surface === undefined ? undefined : { version, surface }
}
