import type { Question } from '../question.ts'
import type { LintedSite } from '../site/linted-site.ts'

/** Questions for every server with URLs that probably lead to a path. The answer shows whether they do. */
export function questionsForPath({ folders, mappings, observations }: LintedSite, path: string): Question[] {
  const servers = new Map(observations.map(({ question }) => [`${question.host}:${question.localPort}`, question]))
  const places = [
    ...folders.map(({ path, question }) => ({ folder: path, url: question.target, question })),
    ...[...servers.values()].flatMap((question) =>
      mappings.map(({ url, folder }) => ({ folder, url: encodeURI(url), question })),
    ),
  ]
  const found = places.flatMap(({ folder, url, question }) => {
    const base = folder.replace(/\/$/, '')
    if (path !== base && !path.startsWith(`${base}/`)) return []
    const target = `${url.replace(/\/$/, '')}${encodeURI(Buffer.from(path.slice(base.length), 'latin1').toString('utf8'))}`
    return [{ ...question, method: 'GET', target: target === '' ? '/' : target }]
  })
  return [...new Map(found.map((question) => [`${question.host}:${question.localPort}${question.target}`, question])).values()]
}
