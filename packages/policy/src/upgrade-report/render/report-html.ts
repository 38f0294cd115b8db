import { type Html, html, raw } from '@gatewright/api/text'
import type { UpgradeFinding } from '../finding.ts'
import type { UpgradeReport } from '../report.ts'
import { type Chapter, chapters, WEIGHT_NAMES, WEIGHTS } from './chapters.ts'
import { readable } from './readable.ts'
import { STYLE } from './report-style.ts'
import { compatWords, headline, originWords } from './words.ts'

/**
 * The report as one self-contained page, for opening, printing and sending. All text of the configuration is
 * escaped.
 */
export function upgradeReportHtml(report: UpgradeReport): string {
  const { subject, origin, verdict, counts, compat, findings, steps, files, unread } = readable(report)
  const all = chapters(findings)
  const page = html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>Upgrade report: ${subject}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header>
<p class="eyebrow">From 2.2 to 2.4</p>
<h1>Upgrade report</h1>
<code>${subject}</code>
</header>
<main>
<div class="verdict ${verdict === 'ready' ? 'ready' : counts.must > 0 ? 'must' : 'look'}">
<strong>${headline(report)}</strong>
<p>${originWords(origin)}</p>
<p>${compatWords(compat)}</p>
</div>
<dl class="tiles">
${WEIGHTS.map((weight) => html`<div class="${counts[weight] === 0 ? 'zero' : weight}"><dt>${WEIGHT_NAMES[weight]}</dt><dd>${counts[weight]}</dd></div>\n`)}</dl>
<nav aria-label="Chapters">
${all.map(({ id, title, findings }) => html`<a href="#${id}">${title} <b>${findings.length}</b></a>\n`)}</nav>
${stepList(steps)}${all.map(chapterSection)}</main>
<footer>
${fileList('Files read', files)}${fileList('Not read', unread)}<p>Made by gatewright upgrade-report. Nothing was changed.</p>
</footer>
</body>
</html>
`
  return page.toString()
}

function stepList(steps: UpgradeReport['steps']): Html {
  if (steps.length === 0) return html``
  const items = steps.map(({ text, command }) => html`<li>${text}${command === null ? '' : html`<code>${command}</code>`}</li>\n`)
  return html`<section>
<h2>Order of work</h2>
<ol class="steps">
${items}</ol>
</section>
`
}

function chapterSection({ id, title, none, findings }: Chapter): Html {
  const open = findings.filter(({ weight }) => weight !== 'know')
  const known = findings.filter(({ weight }) => weight === 'know')
  return html`<section id="${id}">
<h2>${title}${findings.length === 0 ? '' : html` <small>${findings.length}</small>`}</h2>
${findings.length === 0 ? html`<p class="none">${none}</p>\n` : ''}${open.map(findingArticle)}${knownList(known)}</section>
`
}

function findingArticle({ weight, place, subject, text, instead, by }: UpgradeFinding): Html {
  return html`<article class="${weight}">
<header><b>${WEIGHT_NAMES[weight]}</b>${place === null ? '' : html`<code>${placeText(place)}</code>`}${by === 'migrate' ? html`<span>done by gatewright migrate</span>` : ''}</header>
<code>${instead?.length === 0 ? html`<del>${subject}</del>` : subject}</code>
<p>${text}</p>
${insteadBlock(instead)}</article>
`
}

function insteadBlock(instead: UpgradeFinding['instead']): Html {
  if (instead === null || instead.length === 0) return html``
  return html`<pre>${instead.map((line, index) => html`${index === 0 ? '' : '\n'}<ins>+ ${line}</ins>`)}</pre>\n`
}

/** Remarks without an action are collapsed. */
function knownList(findings: readonly UpgradeFinding[]): Html {
  if (findings.length === 0) return html``
  const items = findings.map(
    ({ place, subject, text }) =>
      html`<li><code>${subject}</code>${text}${place === null ? '' : html`<small>${placeText(place)}</small>`}</li>\n`,
  )
  return html`<details class="know">
<summary>${findings.length} ${findings.length === 1 ? 'item' : 'items'} to know, no action needed</summary>
<ul class="rows">
${items}</ul>
</details>
`
}

function fileList(title: string, names: readonly string[]): Html {
  if (names.length === 0) return html``
  return html`<details>
<summary>${title}: ${names.length}</summary>
<ul class="rows">
${names.map((name) => html`<li><code>${name}</code></li>\n`)}</ul>
</details>
`
}

function placeText({ file, line }: NonNullable<UpgradeFinding['place']>): string {
  return line === 0 ? file : `${file}:${line}`
}
