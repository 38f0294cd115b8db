import type { SitePage } from './layout.ts'

/** The first page of the site: where each kind of reader begins. */
export function homePage(counts: { readonly directives: number; readonly modules: number; readonly symbols: number }): SitePage {
  const html = `<h1>Gatewright</h1>
<p class="lead">An HTTP server that is configured with the directives of Apache httpd 2.4, behaves as it does, and cares who gets in.</p>
<div class="cards">
<a href="readme.html"><b>Try it</b><span>Start it from a clone, and see what it answers and why.</span></a>
<a href="docs/operating/playground.html"><b>Playground</b><span>Paste a configuration and a request, and see the answer and why.</span></a>
<a href="docs/operating/index.html"><b>Operate it</b><span>Install, reload and upgrade it; logs, metrics, containers.</span></a>
<a href="directives.html"><b>Directives</b><span>All ${counts.directives}, with context, default and example.</span></a>
<a href="docs/features.html"><b>Modules</b><span>What the ${counts.modules} modules do, and what is missing.</span></a>
<a href="docs/differences.html"><b>Coming from httpd</b><span>Every deliberate difference, by module.</span></a>
<a href="upgrading.html"><b>Modules from 2.2</b><span>What changed in the module API, name by name.</span></a>
<a href="docs/module-authors.html"><b>Write a module</b><span>From an empty folder to a served, tested, debugged module.</span></a>
<a href="api/index.html"><b>Module API</b><span>${counts.symbols} symbols, each with its own page.</span></a>
<a href="architecture.html"><b>How it works</b><span>Packages, the life of a request, and why it is built so.</span></a>
</div>
<p class="quiet">Press <kbd>/</kbd> to search. The search works without a network; these pages request nothing from elsewhere.</p>`
  return { url: 'index.html', group: null, title: 'Documentation', html, headings: [] }
}
